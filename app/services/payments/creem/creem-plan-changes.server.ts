import { slotOf } from "~/catalog";
import { findItemByPrice, type Prices } from "~/env/prices";
import type { CreemClient } from "~/services/payments/creem/creem-client.server";
import {
  creemSubscription,
  readSubscriptionChange,
} from "~/services/payments/creem/subscription-event";
import { estimateChange } from "~/services/payments/estimate-change";
import { paymentsUnavailable, providerError } from "~/services/payments/payment-faults";
import type {
  PlanChanges,
  PlanStanding,
  PlanTarget,
  RunningPeriod,
} from "~/services/payments/plan-changes";

interface CreemContext {
  products: Prices;
  requireClient: () => CreemClient;
}

/**
 * Creem's changes of plan. Creem changes a plan at once only, tells no price in advance, and keeps no
 * idempotency keys: a repeated request finds the new product and charges nothing.
 */
export function createCreemPlanChanges({ products, requireClient }: CreemContext): PlanChanges {
  async function findStanding({ providerSubscriptionId }: { providerSubscriptionId: string }) {
    const found = await requireClient().get(
      `/subscriptions?subscription_id=${encodeURIComponent(providerSubscriptionId)}`,
      creemSubscription,
    );
    return found && readStanding(found, products);
  }

  return {
    canSchedule: false,
    findStanding,

    async priceChange({ at, planKey, period, ...request }) {
      const standing = await findStanding(request);
      if (!standing) return null;
      const { plan: from } = standing;
      if (!from) throw providerError(new Error("Creem: a product that the catalog does not have"));
      return estimateChange({ ...standing, from, to: { planKey, period }, at });
    },

    async changeNow({ providerSubscriptionId, planKey, period }) {
      const slot = slotOf({ type: "plan", planKey, period });
      const productId = products[slot];
      if (!productId) throw paymentsUnavailable([`PROVIDER_B_PRODUCT_${slot.toUpperCase()}`]);
      const standing = await findStanding({ providerSubscriptionId });
      if (!standing) return { status: "not_found" };
      if (isPlan(standing.plan, { planKey, period }))
        return { status: "changed", running: runningOf(standing, productId) };
      const upgraded = await requireClient().post(
        `/subscriptions/${encodeURIComponent(providerSubscriptionId)}/upgrade`,
        { product_id: productId, update_behavior: "proration-charge-immediately" },
        creemSubscription,
      );
      if (!upgraded) return { status: "not_found" };
      return { status: "changed", running: runningOf(readStanding(upgraded, products), productId) };
    },

    scheduleChange: async () => ({ status: "unsupported" }),
    dropScheduledChange: async () => ({ status: "dropped" }),
  };
}

function readStanding(
  subscription: Parameters<typeof readSubscriptionChange>[0],
  prices: Prices,
): PlanStanding {
  const state = readSubscriptionChange(subscription, {
    prices,
    occurredAt: new Date(),
    family: "update",
  });
  const { currentPeriodStart, currentPeriodEnd } = state;
  if (!currentPeriodStart || !currentPeriodEnd)
    throw providerError(new Error("Creem: a subscription without its period"));
  const item = findItemByPrice(prices, state.priceId);
  return {
    // Null: a cancellation is scheduled, and the subscription runs.
    status: state.status ?? "active",
    cancelAtPeriodEnd: state.cancelAtPeriodEnd,
    currentPeriodStart,
    currentPeriodEnd,
    plan: item?.type === "plan" ? { planKey: item.planKey, period: item.period } : null,
    scheduled: null,
    open: null,
  };
}

const runningOf = (standing: PlanStanding, priceId: string): RunningPeriod => ({
  priceId,
  currentPeriodStart: standing.currentPeriodStart,
  currentPeriodEnd: standing.currentPeriodEnd,
});

function isPlan(plan: PlanTarget | null, { planKey, period }: PlanTarget): boolean {
  return plan?.planKey === planKey && plan.period === period;
}
