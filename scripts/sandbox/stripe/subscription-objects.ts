import { type BillingPeriod, periodOf } from "../payments/billing-period";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeInvoice, StripeSubscription } from "./stripe-state";

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
    created: subscription.anchor,
    customer: subscription.customer,
    ended_at: subscription.endedAt,
    start_date: subscription.anchor,
    items: { object: "list", data: [item], has_more: false },
    livemode: false,
    metadata: subscription.metadata,
    schedule: subscription.schedule,
    status: subscription.status,
  };
}

/** Renders what paid an invoice. Since 2025-03 the invoice itself doesn't name it. */
export function renderInvoicePayment(
  { id, amount, payment, created }: StripeInvoice,
  { currency }: SandboxPrice,
) {
  return {
    id: `inpay_${id.slice("in_".length)}`,
    object: "invoice_payment",
    amount_paid: amount,
    amount_requested: amount,
    created,
    currency,
    invoice: id,
    is_default: true,
    livemode: false,
    payment: { type: "payment_intent", payment_intent: payment },
    status: "paid",
  };
}

/** Renders the current period's invoice. */
export function renderInvoice(
  invoice: StripeInvoice,
  subscription: StripeSubscription,
  price: SandboxPrice,
  generation: Generation,
) {
  const { start, end } = currentPeriod(subscription, price);
  const ofSubscription = { metadata: subscription.metadata, subscription: subscription.id };
  const line = {
    object: "line_item",
    amount: price.amount,
    currency: price.currency,
    period: { start: seconds(start), end: seconds(end) },
  };
  const basilLine = {
    ...line,
    parent: {
      type: "subscription_item_details",
      subscription_item_details: {
        proration: false,
        subscription: subscription.id,
        subscription_item: subscription.itemId,
      },
    },
    pricing: { type: "price_details", price_details: { price: price.id } },
  };
  const acaciaLine = {
    ...line,
    type: "subscription",
    proration: false,
    price: renderPrice(price),
    subscription: subscription.id,
  };
  return {
    id: invoice.id,
    object: "invoice",
    amount_due: invoice.amount,
    amount_paid: invoice.status === "paid" ? invoice.amount : 0,
    billing_reason: subscription.period === 0 ? "subscription_create" : "subscription_cycle",
    created: invoice.created,
    currency: price.currency,
    customer: subscription.customer,
    lines: { object: "list", data: [generation === "basil" ? basilLine : acaciaLine] },
    // The period of one-off invoice items, which ends when the invoice is created; not the paid period.
    period_start: invoice.created,
    period_end: invoice.created,
    status: invoice.status,
    ...(generation === "basil"
      ? { parent: { type: "subscription_details", subscription_details: ofSubscription } }
      : {
          payment_intent: invoice.payment,
          subscription: subscription.id,
          subscription_details: { metadata: subscription.metadata },
        }),
  };
}
