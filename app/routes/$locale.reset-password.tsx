import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { NarrowPage } from "~/components/narrow-page";
import { StatePage } from "~/components/state-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { translatorFor } from "~/i18n/messages.server";
import { resetPassword } from "~/models/accounts/passwords.server";
import { findLinkAccount, isLinkUsable } from "~/models/accounts/verification-tokens.server";
import { rememberDevice } from "~/server/accounts/device-cookie.server";
import { linkTokenOf } from "~/server/accounts/link-token.server";
import { findPasswordFault } from "~/server/accounts/new-password.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { resetPasswordSchema } from "~/services/auth/credentials";
import { hashPassword } from "~/services/auth/password.server";
import { fieldConstraints } from "~/utils/field-constraints";
import { pageHeaders } from "~/utils/page-headers";
import { secretLinkMeta } from "~/utils/page-meta";
import { securityEvent } from "~/utils/security-event.server";
import { wayBackOf } from "~/utils/way-back";

export const meta = secretLinkMeta;
export const headers = pageHeaders;

const linkOf = (request: Request) =>
  ({
    token: linkTokenOf(request),
    purpose: "reset_password",
  }) as const;

/** Opening the link changes nothing, so that a mail scanner that opens it doesn't use it up. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const usable = await isLinkUsable(linkOf(request));
  const title = translatorFor(locale)("resetPassword.title");
  return data({ title, locale, usable }, { status: usable ? 200 : 400 });
}

/**
 * After the reset, the browser is known for the account: a user who can read the account's email
 * can always sign in, even while unknown browsers have to take turns.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const form = await readForm(request, Object.keys(resetPasswordSchema.shape));
  const submission = parseWithZod(form, { schema: resetPasswordSchema });
  const refused = { submission, hide: ["password"] };
  if (submission.status !== "success") return formRefused(refused);
  const { password } = submission.value;
  const link = linkOf(request);
  // Checked before the expensive hash; the write makes the final decision. The page's loader shows
  // the error.
  const account = await findLinkAccount(link);
  if (!account) {
    securityEvent("password_reset", { outcome: "failure", reason: "invalid_link" });
    return formRefused(refused);
  }
  const { email, userId } = account;
  const { clientAddress } = context;
  try {
    const fault = await findPasswordFault({ password, email, clientAddress });
    if (fault) return formRefused({ ...refused, fieldErrors: { password: [fault] } });
    const passwordHash = await hashPassword(password);
    const result = await resetPassword({ token: link.token, passwordHash });
    if (result.status === "invalid_link") return formRefused(refused);
    securityEvent("password_reset", { outcome: "success", userId });
    if (result.verified)
      securityEvent("email_verified", { outcome: "success", userId, reason: "password_reset" });
    const device = await rememberDevice(request, { userId, passwordHash });
    const redirectTo = wayBackOf(request);
    const query = new URLSearchParams({ done: "reset", ...(redirectTo ? { redirectTo } : {}) });
    return redirect(`/${locale}/sign-in?${query}`, {
      status: 303,
      headers: { "Set-Cookie": device },
    });
  } catch (error) {
    return formRefused({ ...refused, error });
  }
}

export default function ResetPassword() {
  const t = useTranslations();
  const { locale, usable } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  if (!usable) {
    return (
      <StatePage
        art="expired-link"
        title={t("resetPassword.invalidTitle")}
        lead={t("resetPassword.invalidLead")}
      >
        <ButtonLink href={`/${locale}/forgot-password`}>{t("resetPassword.again")}</ButtonLink>
      </StatePage>
    );
  }
  return (
    <NarrowPage title={t("resetPassword.title")} lead={t("resetPassword.lead")}>
      <ResetPasswordForm result={result} />
    </NarrowPage>
  );
}

function ResetPasswordForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof resetPasswordSchema>>({
    id: "reset-password",
    result,
    constraint: fieldConstraints(resetPasswordSchema),
  });
  return (
    <PostForm form={form} className="stack">
      <Field
        field={field("password")}
        label={t("auth.newPassword")}
        hint={t("signUp.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <Button size="large" wide>
        {t("resetPassword.submit")}
      </Button>
    </PostForm>
  );
}
