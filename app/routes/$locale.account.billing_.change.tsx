import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { findPlan } from "~/catalog";
import { AccountPage } from "~/components/account/account-page";
import { ChangeLocked } from "~/components/billing/change-locked";
import { ChangePreview } from "~/components/billing/change-preview";
import { PlanOptions } from "~/components/billing/plan-options";
import { usePlanPrice } from "~/components/billing/use-plan-price";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { ButtonLink } from "~/components/ui/button";
import { usePlanName } from "~/components/use-plan-name";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";
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
  const { id, provider, currentPeriodEnd } = subscription;
  const offer = shown.status === "offered" ? shown.offer : null;
  const { planKey, period } = offer?.plan ?? subscription;
  const change = {
    id,
    provider,
    planKey,
    period,
    amount: findPlan(planKey)?.amounts[period] ?? null,
    lock: offer?.lock ?? null,
    periodEnd: offer?.standing?.currentPeriodEnd ?? currentPeriodEnd,
    scheduled: offer?.standing?.scheduled ?? null,
    open: offer?.standing?.open ?? null,
    options: offer?.options ?? [],
    preview: offer?.preview ?? null,
    refusal: shown.status === "failed" ? shown.refusal : undefined,
  };
  return data({ title, locale, change }, shown.status === "failed" ? shown.response : {});
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  return changeFromForm(request, { userId, locale });
}

export default function ChangePlan() {
  const t = useTranslations();
  const planName = usePlanName();
  const planPrice = usePlanPrice();
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
  const { planKey, period, amount, lock, preview } = change;
  const plan = planName(planKey);
  const price = amount === null ? "" : planPrice({ period, amount });
  const failed = { provider_error: t("changePlan.providerError") };
  return (
    <AccountPage
      back={back}
      title={t("changePlan.title")}
      lead={t("changePlan.lead", { plan, price })}
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
