import type Stripe from "stripe";
import type { Prices } from "~/env/prices";
import { providerError } from "~/services/payments/payment-faults";
import type {
  CancelResult,
  ResumeResult,
  SubscriptionStanding,
} from "~/services/payments/payment-provider.server";
import { findAtStripe } from "~/services/payments/stripe/stripe-client.server";
import { releaseStripeSchedule } from "~/services/payments/stripe/stripe-schedules.server";
import {
  readSubscriptionEvent,
  stripeSubscription,
} from "~/services/payments/stripe/subscription-event";

/** Statuses in which a subscription does not move on, so that it never reaches its period's end. */
const STANDING_STILL = ["paused", "incomplete"];

/** @throws AppError 502 provider_error */
export async function checkStripeSubscription(
  stripe: Stripe,
  { providerSubscriptionId, prices }: { providerSubscriptionId: string; prices: Prices },
): Promise<SubscriptionStanding> {
  const found = await findAtStripe(() => stripe.subscriptions.retrieve(providerSubscriptionId));
  return found ? readStanding(found, prices) : { status: "not_found" };
}

/**
 * Reads the subscription first: one that has ended cannot be updated, and one under a schedule (a change
 * of plan at the period's end, asked for in the portal) only after the schedule is released.
 * @throws AppError 502 provider_error
 */
export async function cancelStripeSubscription(
  stripe: Stripe,
  request: { providerSubscriptionId: string; when: "period_end" | "now"; prices: Prices },
): Promise<CancelResult> {
  const { providerSubscriptionId: id, when, prices } = request;
  const found = await findAtStripe(() => stripe.subscriptions.retrieve(id));
  if (!found) return { status: "not_found" };
  const standing = readStanding(found, prices);
  if (standing.status === "ended") return standing;
  const atOnce = when === "now" || STANDING_STILL.includes(found.status);
  if (standing.status === "scheduled" && !atOnce) return standing;
  const { schedule } = readSubscription(found);
  if (schedule) await releaseStripeSchedule(stripe, schedule);
  if (atOnce) {
    // Null: another request ended it meanwhile.
    const ended = await findAtStripe(() => stripe.subscriptions.cancel(id));
    const after = ended && readStanding(ended, prices);
    return after?.status === "ended" ? after : { status: "ended", endedAt: null };
  }
  const updated = await findAtStripe(() =>
    stripe.subscriptions.update(id, { cancel_at_period_end: true }),
  );
  if (!updated) return { status: "not_found" };
  const after = readStanding(updated, prices);
  if (after.status !== "renewing") return after;
  throw providerError(new Error(`Stripe: subscription ${id} goes on after its cancellation`));
}

/**
 * Clears whichever way the end was scheduled in: by the flag, as the API does it, or by a date alone, as
 * the portal does it. Stripe doesn't take both parameters together.
 * @throws AppError 502 provider_error
 */
export async function resumeStripeSubscription(
  stripe: Stripe,
  { providerSubscriptionId: id, prices }: { providerSubscriptionId: string; prices: Prices },
): Promise<ResumeResult> {
  const found = await findAtStripe(() => stripe.subscriptions.retrieve(id));
  if (!found) return { status: "not_found" };
  const standing = readStanding(found, prices);
  if (standing.status !== "scheduled") return standing;
  const updated = await findAtStripe(() =>
    stripe.subscriptions.update(
      id,
      found.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: "" },
    ),
  );
  if (!updated) return { status: "not_found" };
  const after = readStanding(updated, prices);
  if (after.status !== "scheduled") return after;
  throw providerError(new Error(`Stripe: subscription ${id} still ends after it was resumed`));
}

function readStanding(subscription: Stripe.Subscription, prices: Prices): SubscriptionStanding {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, endedAt } = readSubscriptionEvent(
    readSubscription(subscription),
    { prices, occurredAt: new Date(), deleted: false },
  );
  if (status === "canceled") return { status: "ended", endedAt };
  return { status: cancelAtPeriodEnd ? "scheduled" : "renewing", currentPeriodEnd };
}

function readSubscription(subscription: Stripe.Subscription) {
  const read = stripeSubscription.safeParse(subscription);
  if (!read.success) throw providerError(read.error);
  return read.data;
}
