import { parseWithZod } from "@conform-to/zod/v4";
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { PasskeySignIn } from "~/components/account/passkey-sign-in";
import { SignInProblem } from "~/components/account/sign-in-problem";
import { ProviderButtons } from "~/components/auth/provider-buttons";
import { ProviderErrorNotice } from "~/components/auth/provider-error-notice";
import { CredentialsForm } from "~/components/credentials-form";
import { DoneNotice } from "~/components/done-notice";
import { Page } from "~/components/page";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import type { PageHandle } from "~/root";
import { completeSignIn } from "~/server/complete-sign-in.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { readProviderNotice } from "~/server/oauth/return-pages.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { getUser } from "~/server/session.server";
import { checkCredentials } from "~/server/sign-in.server";
import { CREDENTIAL_FIELDS, credentialsSchema } from "~/services/auth/credentials";
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
    title: translatorFor(locale)("signIn.title"),
    locale,
    redirectTo,
    done: new URL(request.url).searchParams.get("done"),
    providers: enabledProviders(getEnv().oauth),
    providerNotice: readProviderNotice(request),
  };
}

export const action = pageAction(async ({ request, params, context }) => {
  const locale = requireLocale(params);
  const form = await readForm(request, CREDENTIAL_FIELDS);
  const submission = parseWithZod(form, { schema: credentialsSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: ["password"] });
  try {
    const account = await checkCredentials(request, form, context.clientAddress);
    const { email, redirectTo } = submission.value;
    const proven = { ...account, email, way: "password" } as const;
    return await completeSignIn(request, proven, { locale, redirectTo });
  } catch (error) {
    return formRefused({ submission, hide: ["password"], error });
  }
});

export default function SignIn() {
  const t = useTranslations();
  const { locale, redirectTo, done, providers, providerNotice } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <Page title={t("signIn.title")} lead={t("signIn.lead")}>
      <DoneNotice
        done={done}
        texts={{ reset: t("signIn.passwordReset"), deleted: t("signIn.accountDeleted") }}
      />
      <ProviderErrorNotice notice={providerNotice} />
      <SignInProblem done={done} />
      <CredentialsForm
        schema={credentialsSchema}
        result={result}
        redirectTo={redirectTo}
        submitLabel={t("signIn.submit")}
        newPassword={false}
      />
      <ProviderButtons providers={providers} purpose="sign_in" redirectTo={redirectTo} />
      <PasskeySignIn redirectTo={redirectTo} />
      <p>
        <Link to={`/${locale}/forgot-password`} className="text-accent underline">
          {t("signIn.forgot")}
        </Link>
      </p>
      <p>
        {t("signIn.noAccount")}{" "}
        <Link
          to={{ pathname: `/${locale}/sign-up`, search: useLocation().search }}
          className="text-accent underline"
        >
          {t("nav.signUp")}
        </Link>
      </p>
    </Page>
  );
}
