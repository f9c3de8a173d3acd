import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeState, StripeSubscription } from "./stripe-state";
import { currentPeriod } from "./subscription-objects";

/**
 * Begins the next period: in the schedule's next phase, if it has one. A phase in another interval
 * begins a billing cycle of its own. After its last phase a schedule releases its subscription.
 */
export function moveToNextPeriod(
  subscription: StripeSubscription,
  { state, prices }: { state: StripeState; prices: readonly SandboxPrice[] },
): void {
  const schedule = subscription.schedule === null ? null : state.schedules[subscription.schedule];
  const { end } = periodIn(subscription, prices);
  const next = schedule?.phases.find(({ start }) => start === end);
  const price = requirePrice(prices, next?.priceId ?? subscription.priceId);
  if (price.interval === requirePrice(prices, subscription.priceId).interval) {
    subscription.period += 1;
  } else {
    subscription.anchor = end;
    subscription.period = 0;
  }
  subscription.priceId = price.id;
  if (!schedule || next) return;
  schedule.status = "released";
  subscription.schedule = null;
}

/** The current period, in seconds. */
export function periodIn(subscription: StripeSubscription, prices: readonly SandboxPrice[]) {
  const price = requirePrice(prices, subscription.priceId);
  const { start, end } = currentPeriod(subscription, price);
  return { start: toSeconds(start), end: toSeconds(end) };
}

export const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);
