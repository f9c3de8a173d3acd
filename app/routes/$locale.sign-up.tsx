import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation, useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { BotChallenge } from "~/components/account/bot-challenge";
import { AuthPage } from "~/components/auth/auth-page";
import { MethodsWithoutPassword } from "~/components/auth/methods-without-password";
import { ProviderButtons } from "~/components/auth/provider-buttons";
import { CredentialsForm } from "~/components/credentials-form";
import { DoneNotice } from "~/components/done-notice";
import { FreeCredits } from "~/components/free-credits";
import type { PageHandle } from "~/components/page-handle";
import { useWantedItem } from "~/components/payments/use-wanted-item";
import { Notice } from "~/components/ui/notice";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { arrive, passOn } from "~/server/accounts/arrival.server";
import { HUMAN_FIELDS, shownChallenge } from "~/server/accounts/bot-challenge.server";
import { getUser } from "~/server/accounts/session.server";
import { signUpWithPassword } from "~/server/accounts/sign-up.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { offeredCredits } from "~/server/site/free-credits.server";
import { CREDENTIAL_FIELDS, newAccountSchema } from "~/services/auth/credentials";
import { enabledProviders } from "~/services/auth/oauth/oauth-endpoints";
import { readWantedItem } from "~/services/payments/wanted-item";
import { isDraftPath } from "~/utils/draft-path";
import { pageHeaders } from "~/utils/page-headers";
import { safeRedirect } from "~/utils/safe-redirect";
import { wayBackOf } from "~/utils/way-back";

export const headers = pageHeaders;
export const handle: PageHandle = { sameForAll: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const redirectTo = wayBackOf(request);
  const user = await getUser(request);
  if (user) throw redirect(await passOn({ userId: user.id, locale, redirectTo }));
  return {
    title: translatorFor(locale)("signUp.title"),
    locale,
    redirectTo,
    providers: enabledProviders(getEnv().oauth),
    held: new URL(request.url).searchParams.has("held"),
    challenge: shownChallenge("sign_up"),
    mails: getEnv().email !== null,
    hasImages: getEnv().images.enabled,
    freeCredits: offeredCredits(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const form = await readForm(request, [...CREDENTIAL_FIELDS, ...HUMAN_FIELDS]);
  const submission = parseWithZod(form, { schema: newAccountSchema });
  const refused = { submission, hide: ["password", ...HUMAN_FIELDS] };
  if (submission.status !== "success") return formRefused(refused);
  const { redirectTo, ...credentials } = submission.value;
  const { clientAddress } = context;
  try {
    const person = { request, ...credentials, redirectTo, locale, clientAddress, form };
    const result = await signUpWithPassword(person);
    switch (result.status) {
      case "password_refused":
        return formRefused({ ...refused, fieldErrors: { password: [result.fault] } });
      case "email_taken":
        return formRefused({ ...refused, fieldErrors: { email: ["validation.emailTaken"] } });
      case "held":
        return redirect(`/${locale}/sign-up?held`, 303);
      case "trapped":
        return redirect(safeRedirect(redirectTo, `/${locale}/account`), 303);
      case "created":
        throw redirect(await arrive({ userId: result.userId, locale, redirectTo }), {
          status: 303,
          headers: result.headers,
        });
    }
  } catch (error) {
    return formRefused({ ...refused, error });
  }
}

export default function SignUp() {
  const t = useTranslations();
  const { locale, redirectTo, providers, held, challenge, mails, hasImages, freeCredits } =
    useLoaderData<typeof loader>();
  const item = useWantedItem(readWantedItem(redirectTo));
  const { search } = useLocation();
  const response = useActionData<typeof action>();
  return (
    <AuthPage
      title={item ? t("signUp.toBuy", { item }) : t("signUp.title")}
      hasImages={hasImages}
      lead={
        <>
          {t("signUp.haveAccount")} <a href={`/${locale}/sign-in${search}`}>{t("nav.signIn")}</a>
        </>
      }
    >
      <DoneNotice done={held ? "held" : null} texts={{ held: t("signUp.held") }} />
      {isDraftPath(redirectTo) ? <Notice tone="info">{t("signUp.draft")}</Notice> : null}
      {freeCredits > 0 ? (
        <Notice tone="coin">
          <FreeCredits credits={freeCredits} hasImages={hasImages} />
        </Notice>
      ) : null}
      {providers.length > 0 ? (
        <MethodsWithoutPassword hasProviders>
          <ProviderButtons providers={providers} purpose="sign_in" redirectTo={redirectTo} />
        </MethodsWithoutPassword>
      ) : null}
      <CredentialsForm
        schema={newAccountSchema}
        result={response?.result}
        redirectTo={redirectTo}
        submitLabel={t("signUp.submit")}
        passwordHint={t("signUp.passwordHint")}
        newPassword={true}
        botCheck={
          <BotChallenge
            challenge={challenge}
            withoutScript={mails ? t("signUp.withoutScript") : t("botChallenge.needsScript")}
          />
        }
        note={<SignUpTerms />}
      />
    </AuthPage>
  );
}

/** Says what a new account accepts, beside the button that makes it. */
function SignUpTerms() {
  const t = useTranslations();
  const { locale } = useParams();
  const link = (path: string) => (words: ReactNode) => <a href={`/${locale}/${path}`}>{words}</a>;
  return (
    <p className="small muted">
      {t.rich("signUp.terms", { terms: link("terms"), privacy: link("privacy") })}
    </p>
  );
}
