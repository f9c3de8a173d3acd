import { getFormProps } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { ConfirmByLinkOffer } from "~/components/account/confirm-by-link";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { Page } from "~/components/page";
import { useServerForm } from "~/components/use-server-form";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { markReauthenticated } from "~/models/accounts/reauthentication.server";
import type { PageHandle } from "~/root";
import { requirePassword } from "~/server/check-password.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { requirePageUser } from "~/server/session.server";
import { confirmIdentitySchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";
import { safeRedirect } from "~/utils/safe-redirect";

export const headers = pageHeaders;
export const handle: PageHandle = { interactive: true };

/** Asks who is there before a sensitive action, and goes back to its page. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  return {
    title: translatorFor(locale)("confirmIdentity.title"),
    redirectTo: new URL(request.url).searchParams.get("redirectTo") ?? undefined,
    hasPassword: (await getPasswordHash(userId)) !== null,
    locale,
    mails: getEnv().email !== null,
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const form = await readForm(request, Object.keys(confirmIdentitySchema.shape));
  const submission = parseWithZod(form, { schema: confirmIdentitySchema });
  const hide = ["currentPassword"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const { currentPassword, redirectTo } = submission.value;
  try {
    await requirePassword({ userId: user.id, password: currentPassword });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
  await markReauthenticated(user.sessionId);
  return redirect(safeRedirect(redirectTo, `/${locale}/account`), 303);
});

export default function ConfirmIdentity() {
  const t = useTranslations();
  const { redirectTo, hasPassword, locale, mails } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useServerForm<z.input<typeof confirmIdentitySchema>>({
    id: "confirm-identity",
    result,
  });
  return (
    <Page title={t("confirmIdentity.title")} lead={t("confirmIdentity.lead")}>
      {hasPassword ? (
        <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
          <FormErrors form={form} />
          <input type="hidden" name="redirectTo" value={redirectTo} />
          <Field
            field={fields.currentPassword}
            label={t("security.currentPassword")}
            type="password"
            autoComplete="current-password"
          />
          <Button disabled={busy}>{busy ? t("form.sending") : t("confirmIdentity.submit")}</Button>
        </Form>
      ) : null}
      {!hasPassword && mails ? (
        <ConfirmByLinkOffer locale={locale} redirectTo={redirectTo} />
      ) : null}
    </Page>
  );
}
