import { parseWithZod } from "@conform-to/zod/v4";
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CredentialsForm } from "~/components/credentials-form";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { createUser } from "~/models/accounts/users.server";
import type { PageHandle } from "~/root";
import { mailVerificationLink } from "~/server/account-mails.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { getUser, signInHeaders } from "~/server/session.server";
import { limitSignUps } from "~/server/sign-in.server";
import { CREDENTIAL_FIELDS, newAccountSchema } from "~/services/auth/credentials";
import { hashPassword } from "~/services/auth/password.server";
import { pageHeaders } from "~/utils/page-headers";
import { pageMeta } from "~/utils/page-meta";
import { safeRedirect } from "~/utils/safe-redirect";
import { securityEvent } from "~/utils/security-event.server";

export const meta = pageMeta;
export const headers = pageHeaders;
export const handle: PageHandle = { interactive: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const redirectTo = new URL(request.url).searchParams.get("redirectTo") ?? undefined;
  if (await getUser(request)) throw redirect(safeRedirect(redirectTo, `/${locale}`));
  return { title: translatorFor(locale)("signUp.title"), locale, redirectTo };
}

export const action = pageAction(async ({ request, params, context }) => {
  const locale = requireLocale(params);
  const submission = parseWithZod(await readForm(request, CREDENTIAL_FIELDS), {
    schema: newAccountSchema,
  });
  const refuse = (error?: unknown) => formRefused({ submission, hide: ["password"], error });
  if (submission.status !== "success") return refuse();
  const { email, password, redirectTo } = submission.value;

  try {
    await limitSignUps(context.clientAddress);
  } catch (error) {
    return refuse(error);
  }
  const result = await createUser({ email, passwordHash: await hashPassword(password), locale });
  if (result.status === "email_taken") {
    securityEvent("sign_up", { outcome: "failure", reason: "email_taken", email });
    return formRefused({
      submission,
      hide: ["password"],
      fieldErrors: { email: ["validation.emailTaken"] },
    });
  }
  securityEvent("sign_up", { outcome: "success", userId: result.userId, email });
  mailVerificationLink(result.userId);
  throw redirect(safeRedirect(redirectTo, `/${locale}`), {
    status: 303,
    headers: await signInHeaders(request, { userId: result.userId }),
  });
});

export default function SignUp() {
  const t = useTranslations();
  const { locale, redirectTo } = useLoaderData<typeof loader>();
  return (
    <Page title={t("signUp.title")} lead={t("signUp.lead")}>
      <CredentialsForm
        schema={newAccountSchema}
        result={useActionData<typeof action>()?.result}
        redirectTo={redirectTo}
        submitLabel={t("signUp.submit")}
        passwordHint={t("signUp.passwordHint")}
        newPassword={true}
      />
      <p>
        {t("signUp.haveAccount")}{" "}
        <Link
          to={{ pathname: `/${locale}/sign-in`, search: useLocation().search }}
          className="text-accent underline"
        >
          {t("nav.signIn")}
        </Link>
      </p>
    </Page>
  );
}
