import type Stripe from "stripe";
import { slotOf } from "~/catalog";
import type { Prices } from "~/env/prices";
import { paymentsUnavailable } from "~/services/payments/payment-faults";
import type { PlanChanges, PlanTarget } from "~/services/payments/plan-changes";
import { findAtStripe } from "~/services/payments/stripe/stripe-client.server";
import { previewStripeChange } from "~/services/payments/stripe/stripe-preview.server";
import {
  createStripeSchedule,
  releaseStripeSchedule,
} from "~/services/payments/stripe/stripe-schedules.server";
import {
  findStripeStanding,
  readStripeRunning,
  runningOf,
} from "~/services/payments/stripe/stripe-standing.server";

/** Stripe's changes of plan. `requireClient` throws AppError 503 without a key. */
export function createStripePlanChanges({
  prices,
  requireClient,
}: {
  prices: Prices;
  requireClient: () => Stripe;
}): PlanChanges {
  function requirePrice(target: PlanTarget): string {
    const slot = slotOf({ type: "plan", planKey: target.planKey, period: target.period });
    const priceId = prices[slot];
    if (!priceId) throw paymentsUnavailable([`PROVIDER_A_PRICE_${slot.toUpperCase()}`]);
    return priceId;
  }

  return {
    canSchedule: true,

    findStanding: async ({ providerSubscriptionId }) =>
      findStripeStanding(requireClient(), { providerSubscriptionId, prices }),

    async priceChange({ providerSubscriptionId: subscriptionId, at, ...target }) {
      const stripe = requireClient();
      const priceId = requirePrice(target);
      const standing = await findStripeStanding(stripe, {
        providerSubscriptionId: subscriptionId,
        prices,
      });
      return standing && previewStripeChange(stripe, { subscriptionId, standing, priceId, at });
    },

    async changeNow({ providerSubscriptionId, at, requestId, ...target }) {
      const stripe = requireClient();
      const priceId = requirePrice(target);
      const standing = await findStripeStanding(stripe, { providerSubscriptionId, prices });
      if (!standing) return { status: "not_found" };
      if (standing.item.priceId === priceId)
        return { status: "changed", running: runningOf(standing) };
      // A schedule would take the change back when its next phase begins.
      if (standing.scheduleId) await releaseStripeSchedule(stripe, standing.scheduleId);
      const updated = await findAtStripe(() =>
        stripe.subscriptions.update(
          providerSubscriptionId,
          {
            items: [{ id: standing.item.id, price: priceId }],
            proration_behavior: "always_invoice",
            proration_date: at.getTime() / 1000,
            // Unpaid, the change waits and the old plan goes on. Excludes other parameters, metadata too.
            payment_behavior: "pending_if_incomplete",
          },
          { idempotencyKey: requestId },
        ),
      );
      if (!updated) return { status: "not_found" };
      if (updated.pending_update) return { status: "payment_open" };
      return { status: "changed", running: readStripeRunning(updated, prices) };
    },

    async scheduleChange({ providerSubscriptionId, ...target }) {
      const stripe = requireClient();
      const toPriceId = requirePrice(target);
      const standing = await findStripeStanding(stripe, { providerSubscriptionId, prices });
      if (!standing) return { status: "not_found" };
      const { scheduled, scheduleId, item } = standing;
      if (scheduled?.planKey === target.planKey && scheduled.period === target.period)
        return { status: "scheduled", at: scheduled.at };
      if (scheduleId) await releaseStripeSchedule(stripe, scheduleId);
      const at = await createStripeSchedule(stripe, {
        subscriptionId: providerSubscriptionId,
        fromPriceId: item.priceId,
        toPriceId,
        period: target.period,
      });
      return { status: "scheduled", at };
    },

    async dropScheduledChange({ providerSubscriptionId }) {
      const stripe = requireClient();
      const standing = await findStripeStanding(stripe, { providerSubscriptionId, prices });
      if (!standing) return { status: "not_found" };
      if (standing.scheduleId) await releaseStripeSchedule(stripe, standing.scheduleId);
      return { status: "dropped" };
    },
  };
}
