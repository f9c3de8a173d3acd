import type Stripe from "stripe";
import { z } from "zod";
import { findItemByPrice, type Prices } from "~/env/prices";
import { id, orNull, reference, unixSeconds } from "~/services/payments/payload";
import { providerError } from "~/services/payments/payment-faults";
import type {
  PlannedChange,
  PlanStanding,
  PlanTarget,
  RunningPeriod,
} from "~/services/payments/plan-changes";
import { findAtStripe } from "~/services/payments/stripe/stripe-client.server";
import {
  readSubscriptionEvent,
  stripeSubscription,
} from "~/services/payments/stripe/subscription-event";

const phase = z.object({
  start_date: unixSeconds,
  end_date: unixSeconds,
  items: z.array(z.object({ price: reference })),
});

const withChanges = stripeSubscription.extend({
  items: z.object({ data: z.array(z.looseObject({ id, price: z.object({ id }) })) }),
  schedule: orNull(z.object({ id, phases: z.array(phase) })),
  pending_update: orNull(z.object({ expires_at: orNull(unixSeconds) })),
  latest_invoice: orNull(z.object({ hosted_invoice_url: orNull(z.url({ protocol: /^https?$/ })) })),
});

export interface StripeStanding extends PlanStanding {
  /** The item that has the plan's price, and that price. */
  item: { id: string; priceId: string };
  scheduleId: string | null;
}

/** Reads a subscription with its schedule and its open change; null if Stripe does not have it. */
export async function findStripeStanding(
  stripe: Stripe,
  { providerSubscriptionId, prices }: { providerSubscriptionId: string; prices: Prices },
): Promise<StripeStanding | null> {
  const found = await findAtStripe(() =>
    stripe.subscriptions.retrieve(providerSubscriptionId, {
      expand: ["schedule", "latest_invoice"],
    }),
  );
  return found && readStanding(found, prices);
}

/** A standing's own part of what runs. */
export const runningOf = (standing: StripeStanding): RunningPeriod => ({
  priceId: standing.item.priceId,
  currentPeriodStart: standing.currentPeriodStart,
  currentPeriodEnd: standing.currentPeriodEnd,
});

/** Reads what runs after a change from Stripe's response to it. @throws AppError 502 provider_error */
export function readStripeRunning(updated: Stripe.Subscription, prices: Prices): RunningPeriod {
  const { priceId, currentPeriodStart, currentPeriodEnd } = readState(updated, prices);
  return { priceId, currentPeriodStart, currentPeriodEnd };
}

/** @throws AppError 502 provider_error for a subscription without item or period */
function readState(found: Stripe.Subscription, prices: Prices) {
  const known = stripeSubscription.safeParse(found);
  if (!known.success) throw providerError(known.error);
  const context = { prices, occurredAt: new Date(), deleted: false };
  const { status, cancelAtPeriodEnd, ...state } = readSubscriptionEvent(known.data, context);
  const { priceId, currentPeriodStart, currentPeriodEnd } = state;
  if (!priceId || !currentPeriodStart || !currentPeriodEnd || status === null)
    throw providerError(new Error("Stripe: a subscription without item or period"));
  return { status, cancelAtPeriodEnd, priceId, currentPeriodStart, currentPeriodEnd };
}

function readStanding(found: Stripe.Subscription, prices: Prices): StripeStanding {
  const read = withChanges.safeParse(found);
  if (!read.success) throw providerError(read.error);
  const { schedule, items, pending_update: pending, latest_invoice: invoice } = read.data;
  const state = readState(found, prices);
  const { currentPeriodStart, currentPeriodEnd } = state;
  const item = items.data.find(({ price }) => price.id === state.priceId);
  if (!item) throw providerError(new Error("Stripe: a subscription without its item"));
  const plan = planOf(item.price.id, prices);
  return {
    status: state.status,
    cancelAtPeriodEnd: state.cancelAtPeriodEnd,
    currentPeriodStart,
    currentPeriodEnd,
    plan,
    scheduled:
      schedule && readPlanned(schedule.phases, { plan, after: currentPeriodStart, prices }),
    open: pending && {
      payUrl: invoice?.hosted_invoice_url ?? null,
      lapsesAt: pending.expires_at,
    },
    item: { id: item.id, priceId: item.price.id },
    scheduleId: schedule?.id ?? null,
  };
}

/** The first later phase with another plan. After it began, the schedule stays for one more period. */
function readPlanned(
  phases: z.output<typeof phase>[],
  { plan, after, prices }: { plan: PlanTarget | null; after: Date; prices: Prices },
): PlannedChange | null {
  for (const { start_date: at, items } of phases) {
    if (at <= after) continue;
    for (const { price } of items) {
      const next = planOf(price, prices);
      const isOther = next?.planKey !== plan?.planKey || next?.period !== plan?.period;
      if (next && isOther) return { ...next, at };
    }
  }
  return null;
}

function planOf(priceId: string, prices: Prices): PlanTarget | null {
  const item = findItemByPrice(prices, priceId);
  return item?.type === "plan" ? { planKey: item.planKey, period: item.period } : null;
}
