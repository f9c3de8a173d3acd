import type { LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ConfirmByLinkOffer } from "~/components/account/confirm-by-link";
import { ConfirmPasswordForm } from "~/components/account/confirm-password-form";
import { PasskeyForm } from "~/components/account/passkey-form";
import { PasskeyRefusal } from "~/components/account/passkey-refusal";
import { ProviderButtons } from "~/components/auth/provider-buttons";
import { ProviderErrorNotice } from "~/components/auth/provider-error-notice";
import { Page } from "~/components/page";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { listPasskeys } from "~/models/accounts/passkeys.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { hasTotp } from "~/models/accounts/totp.server";
import type { PageHandle } from "~/root";
import { requireLocale } from "~/server/locale-param.server";
import { listConfirmingProviders } from "~/server/oauth/own-providers.server";
import { readProviderNotice } from "~/server/oauth/return-pages.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { requirePageUser } from "~/server/session.server";
import { confirmIdentitySchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";
import { confirmByPasskey, confirmByPassword } from "./$locale.account.confirm.server";

export const headers = pageHeaders;
export const handle: PageHandle = { interactive: true };

/** Asks who is there before a sensitive action, and goes back to its page. One way is enough. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const [passwordHash, asksCode, passkeys] = await Promise.all([
    getPasswordHash(userId),
    hasTotp(userId),
    listPasskeys(userId),
  ]);
  return {
    title: translatorFor(locale)("confirmIdentity.title"),
    locale,
    redirectTo: new URL(request.url).searchParams.get("redirectTo") ?? undefined,
    ways: { password: passwordHash !== null, asksCode, passkey: passkeys.length > 0 },
    providers: await listConfirmingProviders(userId),
    providerNotice: readProviderNotice(request),
    mails: getEnv().email !== null,
  };
}

const FIELDS = ["intent", "response", ...Object.keys(confirmIdentitySchema.shape)];

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const form = await readForm(request, FIELDS);
  const posted = { form, user, locale };
  switch (form.get("intent")) {
    case "passkey":
      return confirmByPasskey(posted);
    default:
      return confirmByPassword(posted);
  }
});

export default function ConfirmIdentity() {
  const t = useTranslations();
  const { locale, redirectTo, ways, providers, providerNotice, mails } =
    useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page title={t("confirmIdentity.title")} lead={t("confirmIdentity.lead")}>
      <ProviderErrorNotice notice={providerNotice} />
      <PasskeyRefusal refusal={answer?.refusal} />
      {ways.password ? (
        <ConfirmPasswordForm
          result={answer?.result}
          redirectTo={redirectTo}
          asksCode={ways.asksCode}
        />
      ) : null}
      {ways.passkey ? (
        <PasskeyForm
          purpose="confirm"
          action={`/${locale}/account/confirm`}
          label={t("passkeys.use")}
          look={ways.password ? "secondary" : "primary"}
        >
          <input type="hidden" name="intent" value="passkey" />
          {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
        </PasskeyForm>
      ) : null}
      <ProviderButtons providers={providers} purpose="confirm" redirectTo={redirectTo} />
      {!ways.password && mails ? (
        <ConfirmByLinkOffer locale={locale} redirectTo={redirectTo} />
      ) : null}
    </Page>
  );
}
