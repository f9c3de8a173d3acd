import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ConfirmByLinkOffer } from "~/components/account/confirm-by-link";
import { ConfirmForm } from "~/components/account/confirm-form";
import { PasskeyForm } from "~/components/account/passkey-form";
import { PasskeyRefusal } from "~/components/account/passkey-refusal";
import { ProviderButtons } from "~/components/auth/provider-buttons";
import { ProviderErrorNotice } from "~/components/auth/provider-error-notice";
import { NarrowPage } from "~/components/narrow-page";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { listReauthenticationMethods } from "~/models/accounts/reauthentication-methods.server";
import { listConfirmingProviders } from "~/server/accounts/oauth/own-providers.server";
import { readProviderNotice } from "~/server/accounts/oauth/return-pages.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { confirmIdentitySchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";
import { wayBackOf } from "~/utils/way-back";
import { confirmByForm, confirmByPasskey } from "./$locale.account.confirm.server";

export const headers = pageHeaders;

/** Asks who is there before a sensitive action, and goes back to its page. One way is enough. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const proofs = await listReauthenticationMethods(userId);
  return {
    title: translatorFor(locale)("confirmIdentity.title"),
    locale,
    redirectTo: wayBackOf(request),
    proofs,
    providers: proofs.elsewhere ? await listConfirmingProviders(userId) : [],
    providerNotice: readProviderNotice(request),
    mailsLink: proofs.elsewhere && getEnv().email !== null,
  };
}

const FIELDS = ["intent", "response", ...Object.keys(confirmIdentitySchema.shape)];

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const form = await readForm(request, FIELDS);
  const posted = { form, user, locale };
  switch (form.get("intent")) {
    case "passkey":
      return confirmByPasskey(posted);
    default:
      return confirmByForm(request, posted);
  }
}

export default function ConfirmIdentity() {
  const t = useTranslations();
  const { locale, redirectTo, proofs, providers, providerNotice, mailsLink } =
    useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  return (
    <NarrowPage
      title={t("confirmIdentity.title")}
      lead={t("confirmIdentity.lead")}
      notices={
        <>
          <ProviderErrorNotice notice={providerNotice} />
          <PasskeyRefusal refusal={response?.refusal} />
        </>
      }
    >
      {proofs.elsewhere ? null : (
        <ConfirmForm result={response?.result} redirectTo={redirectTo} proofs={proofs} />
      )}
      {proofs.passkey ? (
        <PasskeyForm
          purpose="confirm"
          action={`/${locale}/account/confirm`}
          label={t("passkeys.use")}
          look={proofs.elsewhere ? "primary" : "secondary"}
          isWide
        >
          <input type="hidden" name="intent" value="passkey" />
          {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
        </PasskeyForm>
      ) : null}
      <ProviderButtons providers={providers} purpose="confirm" redirectTo={redirectTo} />
      {mailsLink ? <ConfirmByLinkOffer locale={locale} redirectTo={redirectTo} /> : null}
    </NarrowPage>
  );
}
