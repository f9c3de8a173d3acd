import { parseWithZod } from "@conform-to/zod/v4";
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ProviderButtons } from "~/components/auth/provider-buttons";
import { CredentialsForm } from "~/components/credentials-form";
import { Page } from "~/components/page";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import type { PageHandle } from "~/root";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { getUser } from "~/server/session.server";
import { signUpWithPassword } from "~/server/sign-up.server";
import { CREDENTIAL_FIELDS, newAccountSchema } from "~/services/auth/credentials";
import { enabledProviders } from "~/services/auth/oauth/oauth-endpoints";
import { pageHeaders } from "~/utils/page-headers";
import { safeRedirect } from "~/utils/safe-redirect";

export const headers = pageHeaders;
export const handle: PageHandle = { interactive: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const redirectTo = new URL(request.url).searchParams.get("redirectTo") ?? undefined;
  if (await getUser(request)) throw redirect(safeRedirect(redirectTo, `/${locale}`));
  return {
    title: translatorFor(locale)("signUp.title"),
    locale,
    redirectTo,
    providers: enabledProviders(getEnv().oauth),
  };
}

export const action = pageAction(async ({ request, params, context }) => {
  const locale = requireLocale(params);
  const submission = parseWithZod(await readForm(request, CREDENTIAL_FIELDS), {
    schema: newAccountSchema,
  });
  const refused = { submission, hide: ["password"] };
  if (submission.status !== "success") return formRefused(refused);
  const { redirectTo, ...credentials } = submission.value;
  const { clientAddress } = context;
  try {
    const result = await signUpWithPassword({ request, ...credentials, locale, clientAddress });
    switch (result.status) {
      case "password_refused":
        return formRefused({ ...refused, fieldErrors: { password: [result.fault] } });
      case "email_taken":
        return formRefused({ ...refused, fieldErrors: { email: ["validation.emailTaken"] } });
      case "created":
        throw redirect(safeRedirect(redirectTo, `/${locale}`), {
          status: 303,
          headers: result.headers,
        });
    }
  } catch (error) {
    return formRefused({ ...refused, error });
  }
});

export default function SignUp() {
  const t = useTranslations();
  const { locale, redirectTo, providers } = useLoaderData<typeof loader>();
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
      <ProviderButtons providers={providers} purpose="sign_in" redirectTo={redirectTo} />
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
