import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { BotChallenge } from "~/components/account/bot-challenge";
import { LastUsedMark } from "~/components/account/last-used-mark";
import { PasskeySignIn } from "~/components/account/passkey-sign-in";
import { SignInLinkOffer } from "~/components/account/sign-in-link-offer";
import { SignInProblem } from "~/components/account/sign-in-problem";
import { AuthPage } from "~/components/auth/auth-page";
import { MethodsWithoutPassword } from "~/components/auth/methods-without-password";
import { ProviderButtons } from "~/components/auth/provider-buttons";
import { ProviderErrorNotice } from "~/components/auth/provider-error-notice";
import { CredentialsForm } from "~/components/credentials-form";
import { DoneNotice } from "~/components/done-notice";
import type { PageHandle } from "~/components/page-handle";
import { useWantedItem } from "~/components/payments/use-wanted-item";
import { Notice } from "~/components/ui/notice";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { passOn } from "~/server/accounts/arrival.server";
import { shownChallenge } from "~/server/accounts/bot-challenge.server";
import { completeSignIn } from "~/server/accounts/complete-sign-in.server";
import { readLastMethod } from "~/server/accounts/last-method-cookie.server";
import { readProviderNotice } from "~/server/accounts/oauth/return-pages.server";
import { getUser } from "~/server/accounts/session.server";
import { checkCredentials } from "~/server/accounts/sign-in.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { CREDENTIAL_FIELDS, credentialsSchema } from "~/services/auth/credentials";
import { enabledProviders } from "~/services/auth/oauth/oauth-endpoints";
import { CHALLENGE_FIELD } from "~/services/bot-challenge/challenge";
import { readWantedItem } from "~/services/payments/wanted-item";
import { isDraftPath } from "~/utils/draft-path";
import { pageHeaders } from "~/utils/page-headers";
import { wayBackOf } from "~/utils/way-back";

export const headers = pageHeaders;
export const handle: PageHandle = { sameForAll: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const redirectTo = wayBackOf(request);
  const user = await getUser(request);
  if (user) throw redirect(await passOn({ userId: user.id, locale, redirectTo }));
  return {
    title: translatorFor(locale)("signIn.title"),
    locale,
    redirectTo,
    done: new URL(request.url).searchParams.get("done"),
    providers: enabledProviders(getEnv().oauth),
    providerNotice: readProviderNotice(request),
    challenge: shownChallenge("sign_in"),
    mails: getEnv().email !== null,
    lastMethod: await readLastMethod(request),
    hasImages: getEnv().images.enabled,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const form = await readForm(request, [...CREDENTIAL_FIELDS, CHALLENGE_FIELD]);
  const submission = parseWithZod(form, { schema: credentialsSchema });
  // Asked for only after many failures, and from then on: the throttle says when.
  const challenged = form.has(CHALLENGE_FIELD);
  const refused = { submission, hide: ["password", CHALLENGE_FIELD], challenged };
  if (submission.status !== "success") return formRefused(refused);
  try {
    const account = await checkCredentials(request, form, context.clientAddress);
    const { email, redirectTo } = submission.value;
    const proven = { ...account, email, way: "password" } as const;
    return await completeSignIn(request, proven, { locale, redirectTo });
  } catch (error) {
    return formRefused({ ...refused, error });
  }
}

export default function SignIn() {
  const t = useTranslations();
  const { locale, redirectTo, done, providers, providerNotice } = useLoaderData<typeof loader>();
  const { challenge, mails, lastMethod, hasImages } = useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  const { search } = useLocation();
  const item = useWantedItem(readWantedItem(redirectTo));
  const aimed = redirectTo ? `?${new URLSearchParams({ redirectTo })}` : "";
  return (
    <AuthPage
      title={item ? t("signIn.toBuy", { item }) : t("signIn.welcome")}
      hasImages={hasImages}
      lead={
        <>
          {t("signIn.noAccount")}{" "}
          <a href={`/${locale}/sign-up${search}`}>{t("signIn.createAccount")}</a>
        </>
      }
    >
      <DoneNotice
        done={done}
        texts={{ reset: t("signIn.passwordReset"), deleted: t("signIn.accountDeleted") }}
      />
      {isDraftPath(redirectTo) ? <Notice tone="info">{t("signUp.draft")}</Notice> : null}
      <ProviderErrorNotice notice={providerNotice} />
      <SignInProblem done={done} />
      <MethodsWithoutPassword hasProviders={providers.length > 0}>
        <ProviderButtons
          providers={providers}
          purpose="sign_in"
          redirectTo={redirectTo}
          lastMethod={lastMethod}
        />
        <PasskeySignIn redirectTo={redirectTo} lastMethod={lastMethod} />
      </MethodsWithoutPassword>
      <CredentialsForm
        schema={credentialsSchema}
        result={response?.result}
        redirectTo={redirectTo}
        submitLabel={t("signIn.submit")}
        newPassword={false}
        passwordAside={
          <a href={`/${locale}/forgot-password${aimed}`} className="link-24">
            {t("signIn.forgot")}
          </a>
        }
        mark={<LastUsedMark way="password" lastMethod={lastMethod} />}
        botCheck={
          challenge && response?.challenged ? (
            <BotChallenge challenge={challenge} withoutScript={t("botChallenge.needsScript")} />
          ) : null
        }
      />
      {mails ? <SignInLinkOffer locale={locale} search={search} lastMethod={lastMethod} /> : null}
    </AuthPage>
  );
}
