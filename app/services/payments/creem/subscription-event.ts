import { z } from "zod";
import { findPlanOfPrice, type Prices } from "~/env/prices";
import type {
  ListedPrice,
  SubscriptionChanged,
  SubscriptionStatus,
} from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import { currency, id, isoDate, minorUnits, orNull, reference } from "~/services/payments/payload";

const SCHEDULED_CANCEL = "scheduled_cancel";

/** The status stated by an event's name. It takes precedence over the object: see `readStatus`. */
const BY_EVENT = new Map<string, SubscriptionStatus>([
  ["active", "active"],
  ["trialing", "trialing"],
  ["past_due", "past_due"],
  ["unpaid", "unpaid"],
  ["paused", "paused"],
  ["expired", "expired"],
  ["canceled", "canceled"],
  ["deleted", "canceled"],
  ["terminated", "canceled"],
]);

const BY_OBJECT = new Map<string, SubscriptionStatus>([
  ["incomplete", "incomplete"],
  ["trialing", "trialing"],
  ["active", "active"],
  ["past_due", "past_due"],
  ["unpaid", "unpaid"],
  ["paused", "paused"],
  ["expired", "expired"],
  ["canceled", "canceled"],
]);

const product = z.union([
  id.transform((bare) => ({ id: bare, price: null, currency: null })),
  z.object({ id, price: orNull(minorUnits), currency: orNull(currency) }),
]);

export const creemSubscription = z.object({
  id,
  product: orNull(product),
  items: orNull(z.array(z.object({ product_id: orNull(id) }))),
  customer: orNull(reference),
  status: orNull(z.string()),
  last_transaction_id: orNull(id),
  last_transaction: orNull(
    z.object({
      id,
      order: orNull(reference),
      amount: orNull(minorUnits),
      amount_paid: orNull(minorUnits),
      discount_amount: orNull(minorUnits),
      currency: orNull(currency),
    }),
  ),
  current_period_start_date: orNull(isoDate),
  current_period_end_date: orNull(isoDate),
  canceled_at: orNull(isoDate),
  created_at: orNull(isoDate),
  metadata: z.unknown().optional(),
});

export type CreemSubscription = z.output<typeof creemSubscription>;

/** Reads the subscription from a `subscription.<family>` event. */
export function readSubscriptionChange(
  subscription: CreemSubscription,
  context: { prices: Prices; occurredAt: Date; family: string },
): SubscriptionChanged {
  const status = readStatus(subscription, context.family);
  const priceId = chooseProduct(subscription, context.prices);
  return {
    kind: "subscription_changed",
    providerSubscriptionId: subscription.id,
    customerId: subscription.customer,
    status,
    priceId,
    listed: readListed(subscription, priceId),
    currentPeriodStart: subscription.current_period_start_date,
    currentPeriodEnd: subscription.current_period_end_date,
    startedAt: subscription.created_at,
    cancelAtPeriodEnd: [context.family, subscription.status].includes(SCHEDULED_CANCEL),
    hasSchedule: false,
    endedAt: status === "canceled" ? (subscription.canceled_at ?? context.occurredAt) : null,
    metadata: readMetadata(subscription.metadata),
    occurredAt: context.occurredAt,
  };
}

/**
 * The event's name decides if it states a status: in Creem's own example of `subscription.expired` the
 * object still says `active`. A scheduled cancellation leaves the status unchanged.
 */
function readStatus({ status }: CreemSubscription, family: string): SubscriptionStatus | null {
  const stated = BY_EVENT.get(family);
  if (stated) return stated;
  // Only a running subscription is paid for, and an end that is scheduled hides that.
  if (family === "paid" && status === SCHEDULED_CANCEL) return "active";
  if (family === SCHEDULED_CANCEL || status === SCHEDULED_CANCEL || status === null) return null;
  return BY_OBJECT.get(status) ?? "unknown";
}

/** Reads the price of the product if it is the chosen one: other items are named without their price. */
export function readListed(
  { product }: CreemSubscription,
  priceId: string | null,
): ListedPrice | null {
  if (!product || product.id !== priceId) return null;
  const { price: amount, currency } = product;
  return amount !== null && currency ? { amount, currency } : null;
}

/** Of several items, the one at a plan's price. */
export function chooseProduct(
  { product, items }: CreemSubscription,
  prices: Prices,
): string | null {
  const all = [product?.id ?? null, ...(items ?? []).map((item) => item.product_id)];
  return all.find((candidate) => findPlanOfPrice(prices, candidate)) ?? product?.id ?? null;
}
