import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { type ActionKey, CURRENCY, findPlan } from "~/catalog";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { PurchaseArrived } from "~/components/payments/purchase-arrived";
import { usePurchaseFacts } from "~/components/payments/use-purchase-facts";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { AddedCredits, ReturnedCheckout } from "~/models/billing/checkouts/returned-checkout";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

interface CheckoutArrivedProps {
  checkout: ReturnedCheckout;
  added: AddedCredits;
  /** The plan that was bought, as it is now. */
  plan: ShownSubscription | null;
  /** Credits now. */
  balance: number;
  /** The action that the page leads to; null if none is on. */
  action: ActionKey | null;
  /** Whether a prompt waits for these credits. */
  hasDraft: boolean;
}

/** The credits of a checkout are in: what was bought, the new balance, and the way to spend it. */
export function CheckoutArrived({ checkout, added, plan, ...shown }: CheckoutArrivedProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const sentence = usePlanSentence();
  const factsOf = usePurchaseFacts();
  const item = useItem()(checkout, added);
  const { order, plan: bought, provider, receiptTo } = checkout;
  const account = `/${locale}/account`;
  const payment = bought?.payment?.id;
  const paid = payment ? `${account}/payments/${payment}` : null;
  return (
    <PurchaseArrived
      {...shown}
      added={added}
      title={t("checkout.arrivedTitle")}
      facts={factsOf({ item, provider, id: order?.id ?? payment ?? null, at: added.at })}
      plan={plan && sentence(plan)}
      receipt={order ? `${account}/orders/${order.id}` : paid}
      receiptTo={receiptTo}
    />
  );
}

/** Names the item, with what was paid or else its price in the catalog. */
function useItem() {
  const t = useTranslations();
  const money = useMoney();
  const planName = usePlanName();
  return ({ order, plan }: ReturnedCheckout, { amount: credits }: AddedCredits) => {
    if (!plan)
      return {
        name: t("billing.packOf", { credits }),
        value: order ? money(order.amount, order.currency) : "–",
      };
    const { planKey, period, payment } = plan;
    const words = { plan: planName(planKey) };
    const listed = findPlan(planKey)?.amounts[period];
    const price = listed === undefined ? null : { amount: listed, currency: CURRENCY };
    const paid = payment?.total ?? price;
    return {
      name: period === "month" ? t("changePlan.byMonth", words) : t("changePlan.byYear", words),
      value: paid ? money(paid.amount, paid.currency) : "–",
    };
  };
}
