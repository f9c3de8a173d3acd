import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { ChangeLocked } from "~/components/billing/change-locked";
import { ChangePreview } from "~/components/billing/change-preview";
import { PlanOptions } from "~/components/billing/plan-options";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import type { PlanChangeOffer } from "~/models/billing/changes/offer.server";
import type { OwnSubscription } from "~/models/billing/subscriptions/management.server";
import type { PlanState } from "~/models/billing/subscriptions/plan-sentence";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";
import { changeFromForm, getPlanChange } from "./$locale.account.billing_.change.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const shown = await getPlanChange(request, userId);
  const title = translatorFor(locale)("changePlan.title");
  if (shown.status === "none") return data({ title, locale, change: null });
  const { subscription } = shown.status === "offered" ? shown.offer : shown;
  const { id, provider } = subscription;
  const offer = shown.status === "offered" ? shown.offer : null;
  const { planKey, period } = offer?.plan ?? subscription;
  const change = {
    id,
    provider,
    planKey,
    period,
    state: stateOf(subscription, offer),
    lock: offer?.lock ?? null,
    open: offer?.standing?.open ?? null,
    options: offer?.options ?? [],
    preview: offer?.preview ?? null,
    refusal: shown.status === "failed" ? shown.refusal : undefined,
  };
  return data({ title, locale, change }, shown.status === "failed" ? shown.response : {});
}

/** The plan as its provider has it, or else as it is stored here. */
function stateOf(subscription: OwnSubscription, offer: PlanChangeOffer | null): PlanState {
  const stored = showSubscription(subscription, new Date());
  if (!offer?.standing) return stored;
  const { status, cancelAtPeriodEnd, currentPeriodEnd, scheduled } = offer.standing;
  const planned = cancelAtPeriodEnd ? null : scheduled;
  return {
    ...{ planKey: offer.plan.planKey, period: offer.plan.period, endedAt: stored.endedAt },
    ...{ status, cancelAtPeriodEnd, periodEnd: currentPeriodEnd, planned },
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  return changeFromForm(request, { userId, locale });
}

export default function ChangePlan() {
  const t = useTranslations();
  const sentence = usePlanSentence();
  const { locale, change } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const back = { path: "/account/billing", text: t("billing.title") };
  if (!change) {
    return (
      <AccountPage back={back} title={t("changePlan.title")} lead={t("changePlan.leadNone")}>
        <p>
          <ButtonLink href={`/${locale}/pricing`}>{t("billing.seePlans")}</ButtonLink>
        </p>
      </AccountPage>
    );
  }
  const { state, lock, preview } = change;
  const failed = { provider_error: t("changePlan.providerError") };
  return (
    <AccountPage
      back={back}
      title={t("changePlan.title")}
      lead={lock ? sentence(state) : `${sentence(state)} ${t("changePlan.lead")}`}
    >
      <PaymentRefusal refusal={refusal} texts={failed} />
      {refusal ? null : <PaymentRefusal refusal={change.refusal} />}
      {lock ? (
        <ChangeLocked lock={lock} change={change} />
      ) : (
        <div className="change">
          <PlanOptions change={change} />
          {preview ? (
            <ChangePreview preview={preview} change={change} />
          ) : (
            <p className="card muted">{t("changePlan.hint")}</p>
          )}
        </div>
      )}
    </AccountPage>
  );
}
