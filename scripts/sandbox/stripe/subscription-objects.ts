import { type BillingPeriod, periodOf } from "../payments/billing-period";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeSubscription } from "./stripe-state";

/**
 * Payload shapes by the endpoint's API version: since 2025-03 ("basil") the period is on a
 * subscription's items, and an invoice names its subscription under `parent`.
 */
export type Generation = "acacia" | "basil";

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

export function currentPeriod(
  { anchor, period }: StripeSubscription,
  price: SandboxPrice,
): BillingPeriod {
  return periodOf(new Date(anchor * 1000), period, price.interval === "year" ? 12 : 1);
}

export function renderPrice({ id, amount, currency, interval }: SandboxPrice) {
  return {
    id,
    object: "price",
    active: true,
    currency,
    unit_amount: amount,
    recurring: interval && { interval, interval_count: 1 },
    type: interval ? "recurring" : "one_time",
  };
}

/** The id of the payment method that Checkout saved with it. */
export const paymentMethodOf = ({ id }: StripeSubscription) => `pm_${id.slice("sub_".length)}`;

export function renderSubscription(
  subscription: StripeSubscription,
  price: SandboxPrice,
  generation: Generation,
) {
  const { start, end } = currentPeriod(subscription, price);
  const period = { current_period_start: seconds(start), current_period_end: seconds(end) };
  const item = {
    id: subscription.itemId,
    object: "subscription_item",
    price: renderPrice(price),
    quantity: 1,
    subscription: subscription.id,
    ...(generation === "basil" ? period : {}),
  };
  return {
    id: subscription.id,
    object: "subscription",
    cancel_at: subscription.cancelAt,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    ...(generation === "acacia" ? period : {}),
    created: subscription.created,
    customer: subscription.customer,
    default_payment_method: paymentMethodOf(subscription),
    ended_at: subscription.endedAt,
    items: { object: "list", data: [item], has_more: false },
    livemode: false,
    latest_invoice: subscription.latestInvoice,
    metadata: subscription.metadata,
    pending_update: subscription.pendingUpdate && {
      expires_at: subscription.pendingUpdate.expiresAt,
      subscription_items: [
        { id: subscription.itemId, price: { id: subscription.pendingUpdate.priceId } },
      ],
    },
    schedule: subscription.schedule,
    start_date: subscription.created,
    status: subscription.status,
  };
}
