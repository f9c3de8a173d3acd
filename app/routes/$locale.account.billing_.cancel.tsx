import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { Button, ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { usePlanName } from "~/components/use-plan-name";
import { translatorFor } from "~/i18n/messages.server";
import { cancelSubscription } from "~/models/billing/cancellations/cancellations.server";
import { endsAtOnce } from "~/models/billing/subscriptions/ends-at-once";
import { getOpenSubscription } from "~/models/billing/subscriptions/management.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { noSubscription } from "~/server/payments.server";
import { requirePageUser } from "~/server/session.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

/**
 * Returns the subscription's id from the request. "The running one" would be ambiguous: there may
 * be two.
 */
function subscriptionIdOf(request: Request): string {
  return new URL(request.url).searchParams.get("subscription") ?? "";
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const subscription = await getOpenSubscription(userId, undefined, subscriptionIdOf(request));
  if (!subscription) throw new Response(null, { status: 404 });
  const { planKey, status, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  const title = translatorFor(locale)("cancelPlan.title");
  return {
    title,
    locale,
    planKey,
    periodEnd: currentPeriodEnd,
    cancelAtPeriodEnd,
    owes: status === "past_due" || status === "unpaid",
    atOnce: endsAtOnce(subscription),
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const subscriptionId = subscriptionIdOf(request);
  try {
    const result = await cancelSubscription({ userId, subscriptionId }, getPaymentProvider);
    if (result.status === "not_found") throw noSubscription();
    const done = result.status === "ended" ? "ended" : "canceled";
    return redirect(`/${locale}/account/billing?done=${done}`, 303);
  } catch (error) {
    return formRefused({ error });
  }
});

export default function CancelPlan() {
  const t = useTranslations();
  const format = useFormatter();
  const planName = usePlanName();
  const { locale, planKey, periodEnd, cancelAtPeriodEnd, owes, atOnce } =
    useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const plan = planName(planKey);
  const date = periodEnd && format.dateTime(periodEnd, { dateStyle: "long" });
  const billing = `/${locale}/account/billing`;
  if (cancelAtPeriodEnd && !atOnce) {
    return (
      <Page
        title={t("cancelPlan.done")}
        lead={date ? t("billing.ends", { date }) : t("billing.endsLater")}
      >
        <p>
          <ButtonLink href={billing}>{t("cancelPlan.back")}</ButtonLink>
        </p>
      </Page>
    );
  }
  const laterLead = date
    ? t("cancelPlan.lead", { plan, date })
    : t("cancelPlan.leadLater", { plan });
  return (
    <Page
      title={t("cancelPlan.title")}
      lead={atOnce ? t("cancelPlan.leadNow", { plan }) : laterLead}
    >
      <PaymentRefusal refusal={refusal} />
      <ul className="grid max-w-text list-disc gap-2 pl-5">
        {owes ? <li>{t("cancelPlan.open")}</li> : null}
        {atOnce ? null : <li>{t("cancelPlan.monthly")}</li>}
        <li>{t("cancelPlan.expiry")}</li>
        <li>{t("cancelPlan.bought")}</li>
        <li>{t("cancelPlan.again")}</li>
      </ul>
      <form method="post" className="flex flex-wrap gap-3">
        <Button look="danger">{t("cancelPlan.submit")}</Button>
        <ButtonLink look="secondary" href={billing}>
          {t("cancelPlan.keep")}
        </ButtonLink>
      </form>
    </Page>
  );
}
