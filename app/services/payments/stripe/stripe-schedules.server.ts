import type Stripe from "stripe";
import type { Period } from "~/catalog";
import { callStripe } from "~/services/payments/stripe/stripe-client.server";

/**
 * Plans a price for the period's end: a schedule with the running phase and one in the new price, after
 * which the subscription goes on by itself. No prorations. Returns when the new price begins.
 * @throws AppError 502 provider_error
 */
export async function createStripeSchedule(
  stripe: Stripe,
  request: { subscriptionId: string; fromPriceId: string; toPriceId: string; period: Period },
): Promise<Date> {
  // Stripe takes no phases together with `from_subscription`, so it takes two calls.
  const schedule = await callStripe(() =>
    stripe.subscriptionSchedules.create({ from_subscription: request.subscriptionId }),
  );
  try {
    const planned = await callStripe(() =>
      stripe.subscriptionSchedules.update(schedule.id, planPhases(schedule, request)),
    );
    const at = planned.phases.at(-1)?.start_date ?? 0;
    return new Date(at * 1000);
  } catch (error) {
    // A schedule without the change would only stand in the way of a cancellation.
    await releaseStripeSchedule(stripe, schedule.id);
    throw error;
  }
}

/** The subscription goes on by itself, in the plan it has. @throws AppError 502 provider_error */
export async function releaseStripeSchedule(stripe: Stripe, scheduleId: string): Promise<void> {
  // A schedule can be released once. With this key, two requests at once get the same response.
  await callStripe(() =>
    stripe.subscriptionSchedules.release(
      scheduleId,
      {},
      { idempotencyKey: `release:${scheduleId}` },
    ),
  );
}

type PhaseItem = { price: string | { id: string }; quantity?: number };
type PhaseDiscount = { discount: string | { id: string } | null };
interface NewSchedule {
  phases: {
    start_date: number;
    end_date: number;
    items: PhaseItem[];
    discounts?: PhaseDiscount[];
  }[];
}

/**
 * The running phase as it is, then one period in the new price. Items and discounts that are left out
 * would be taken off, so those that aren't ours are repeated.
 */
export function planPhases(
  { phases: [running] }: NewSchedule,
  { fromPriceId, toPriceId, period }: { fromPriceId: string; toPriceId: string; period: Period },
) {
  if (!running) throw new Error("Stripe: a schedule without a phase");
  const kept = running.items.map(({ price, quantity = 1 }) => ({ price: idOf(price), quantity }));
  const changed = kept.map((item) =>
    item.price === fromPriceId ? { ...item, price: toPriceId } : item,
  );
  const discounts = (running.discounts ?? []).flatMap(({ discount }) =>
    discount ? [{ discount: idOf(discount) }] : [],
  );
  const same = {
    proration_behavior: "none",
    ...(discounts.length > 0 ? { discounts } : {}),
  } as const;
  return {
    end_behavior: "release",
    proration_behavior: "none",
    phases: [
      { ...same, items: kept, start_date: running.start_date, end_date: running.end_date },
      { ...same, items: changed, duration: { interval: period, interval_count: 1 } },
    ],
  } satisfies Stripe.SubscriptionScheduleUpdateParams;
}

const idOf = (value: string | { id: string }) => (typeof value === "string" ? value : value.id);
