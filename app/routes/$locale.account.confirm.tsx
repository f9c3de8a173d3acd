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
import { Button } from "~/components/ui/button";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { isSessionFresh } from "~/models/accounts/reauthentication.server";
import { listReauthenticationMethods } from "~/models/accounts/reauthentication-methods.server";
import { listConfirmingProviders } from "~/server/accounts/oauth/own-providers.server";
import { readProviderNotice } from "~/server/accounts/oauth/return-pages.server";
import { findForm, type RepeatedForm } from "~/server/accounts/repeated-form.server";
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
  const user = await requirePageUser(request, locale);
  const { id: userId, sessionId } = user;
  const proofs = await listReauthenticationMethods(userId);
  const { pathname, search, searchParams } = new URL(request.url);
  const step = searchParams.get("step");
  const form = await findForm(step, user);
  return {
    title: translatorFor(locale)("confirmIdentity.title"),
    locale,
    // Proofs from elsewhere come back to this page, which then has the form's button.
    redirectTo: form && proofs.elsewhere ? pathname + search : wayBackOf(request),
    step: form ? step : null,
    form,
    isFresh: form !== null && (await isSessionFresh(sessionId)),
    proofs,
    providers: proofs.elsewhere ? await listConfirmingProviders(userId) : [],
    providerNotice: readProviderNotice(request),
    mailsLink: proofs.elsewhere && getEnv().email !== null,
  };
}

const FIELDS = ["response", ...Object.keys(confirmIdentitySchema.shape)];

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const form = await readForm(request, FIELDS);
  const posted = { form, user, locale };
  // The form that is sent again may have an intent of its own.
  return form.get("response") ? confirmByPasskey(posted) : confirmByForm(request, posted);
}

export default function ConfirmIdentity() {
  const t = useTranslations();
  const { locale, redirectTo, step, form, isFresh, ...shown } = useLoaderData<typeof loader>();
  const { proofs, providers, providerNotice, mailsLink } = shown;
  const response = useActionData<typeof action>();
  if (form && isFresh) return <SendAgain form={form} />;
  const hidden = <HiddenFields fields={{ ...form?.fields, ...(step ? { step } : {}) }} />;
  return (
    <NarrowPage
      title={t("confirmIdentity.title")}
      lead={form ? t(LEADS[form.what]) : t("confirmIdentity.lead")}
      notices={
        <>
          <ProviderErrorNotice notice={providerNotice} />
          <PasskeyRefusal refusal={response?.refusal} />
        </>
      }
    >
      {proofs.elsewhere ? null : (
        <ConfirmForm result={response?.result} redirectTo={redirectTo} proofs={proofs}>
          {hidden}
        </ConfirmForm>
      )}
      {proofs.passkey ? (
        <PasskeyForm
          purpose="confirm"
          action={`/${locale}/account/confirm`}
          label={t("passkeys.use")}
          look={proofs.elsewhere ? "primary" : "secondary"}
          isWide
        >
          {hidden}
          {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
        </PasskeyForm>
      ) : null}
      <ProviderButtons providers={providers} purpose="confirm" redirectTo={redirectTo} />
      {mailsLink ? <ConfirmByLinkOffer locale={locale} redirectTo={redirectTo} /> : null}
    </NarrowPage>
  );
}

const LEADS = {
  portal: "confirmIdentity.leadPortal",
  sign_in_methods: "confirmIdentity.leadMethods",
  limits: "confirmIdentity.leadLimits",
  top_up: "confirmIdentity.leadTopUp",
} as const satisfies Record<RepeatedForm["what"], string>;

function HiddenFields({ fields }: { fields: Record<string, string> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

/** Sends the form again for a person who proved elsewhere who they are, and came back by a link. */
function SendAgain({
  form: { action, fields },
}: {
  form: Pick<RepeatedForm, "action" | "fields">;
}) {
  const t = useTranslations();
  return (
    <NarrowPage title={t("confirmIdentity.thanks")} lead={t("confirmIdentity.thanksLead")}>
      <form method="post" action={action}>
        <HiddenFields fields={fields} />
        <Button size="large" wide>
          {t("confirmIdentity.goOn")}
        </Button>
      </form>
    </NarrowPage>
  );
}
