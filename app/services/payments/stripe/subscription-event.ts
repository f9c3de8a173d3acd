import { z } from "zod";
import { findPlanOfPrice, type Prices } from "~/env/prices";
import type {
  ListedPrice,
  SubscriptionChanged,
  SubscriptionStatus,
} from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import { currency, id, orNull, reference, unixSeconds } from "~/services/payments/payload";

/** The set is open: Stripe adds to it. A status missing here is `unknown`. */
const STATUSES = new Map<string, SubscriptionStatus>([
  ["incomplete", "incomplete"],
  ["trialing", "trialing"],
  ["active", "active"],
  ["past_due", "past_due"],
  ["unpaid", "unpaid"],
  ["paused", "paused"],
  ["canceled", "canceled"],
  // The first payment was never made; this status is final too.
  ["incomplete_expired", "canceled"],
]);

/** Payloads follow the endpoint's API version: the period moved to the items in 2025-03. */
const period = {
  current_period_start: orNull(unixSeconds),
  current_period_end: orNull(unixSeconds),
};

const subscriptionItem = z.object({
  price: orNull(z.object({ id, unit_amount: orNull(z.int()), currency: orNull(currency) })),
  quantity: orNull(z.int()),
  ...period,
});

export const stripeSubscription = z.object({
  id,
  customer: orNull(reference),
  status: z.string(),
  ...period,
  cancel_at_period_end: orNull(z.boolean()),
  cancel_at: orNull(unixSeconds),
  canceled_at: orNull(unixSeconds),
  ended_at: orNull(unixSeconds),
  start_date: orNull(unixSeconds),
  items: orNull(z.object({ data: z.array(subscriptionItem) })),
  schedule: orNull(reference),
  metadata: z.unknown().optional(),
});

type StripeSubscription = z.output<typeof stripeSubscription>;

/** Reads a `customer.subscription.*` event. */
export function readSubscriptionEvent(
  subscription: StripeSubscription,
  context: { prices: Prices; occurredAt: Date; deleted: boolean },
): SubscriptionChanged {
  const item = chooseItem(subscription, context.prices);
  const currentPeriodEnd = item?.current_period_end ?? subscription.current_period_end;
  const status = STATUSES.get(subscription.status) ?? "unknown";
  const isOver = context.deleted || status === "canceled";
  return {
    kind: "subscription_changed",
    providerSubscriptionId: subscription.id,
    customerId: subscription.customer,
    status: isOver ? "canceled" : status,
    priceId: item?.price?.id ?? null,
    listed: readListed(item),
    currentPeriodStart: item?.current_period_start ?? subscription.current_period_start,
    currentPeriodEnd,
    startedAt: subscription.start_date,
    cancelAtPeriodEnd: endsWithPeriod(subscription, currentPeriodEnd),
    hasSchedule: subscription.schedule !== null,
    endedAt: isOver
      ? (subscription.ended_at ?? subscription.canceled_at ?? context.occurredAt)
      : null,
    metadata: readMetadata(subscription.metadata),
    occurredAt: context.occurredAt,
  };
}

/** Of several items, the one at a plan's price; others may have been added by hand. */
function chooseItem({ items }: StripeSubscription, prices: Prices) {
  const all = items?.data ?? [];
  return all.find(({ price }) => price && findPlanOfPrice(prices, price.id)) ?? all[0];
}

/** Null for a price without one amount per unit, such as a tiered one. */
function readListed(item: z.output<typeof subscriptionItem> | undefined): ListedPrice | null {
  const { unit_amount: unit, currency } = item?.price ?? {};
  if (unit === undefined || unit === null || !currency) return null;
  return { amount: unit * (item?.quantity ?? 1), currency };
}

/**
 * Whether the subscription is scheduled to end with its period. In flexible billing mode (the default
 * since 2025-09) the portal schedules the end as a date and leaves the flag unset. A date after the
 * period does not count.
 */
function endsWithPeriod(subscription: StripeSubscription, periodEnd: Date | null): boolean {
  if (subscription.cancel_at_period_end) return true;
  const { cancel_at: cancelAt } = subscription;
  return cancelAt !== null && periodEnd !== null && cancelAt <= periodEnd;
}
