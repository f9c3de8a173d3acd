import { findPlan, type Period, type PlanKey } from "~/catalog";
import { endsAtOnce } from "~/models/billing/subscriptions/ends-at-once";
import type { OwnSubscription } from "~/models/billing/subscriptions/management.server";
import { type NextCredits, nextCredits } from "~/models/billing/subscriptions/next-credits";
import type { SubscriptionStatus } from "~/services/payments/billing-event";

/** A subscription as its owner's pages show it. */
export interface ShownSubscription {
  id: string;
  provider: string;
  planKey: PlanKey;
  period: Period;
  /** Minor units per period; null if the plan is no longer in the catalog. */
  amount: number | null;
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  periodEnd: Date | null;
  endedAt: Date | null;
  nextCredits: NextCredits;
  /** The plan that begins when the current period ends; null if no change is planned. */
  planned: { planKey: PlanKey; period: Period } | null;
  changeable: boolean;
  /** Whether its cancellation can still be taken back. */
  keepable: boolean;
  /** Whether the subscription can still be cancelled. */
  cancelable: boolean;
}

/** Statuses in which a scheduled end lies ahead. */
const KEEPABLE: SubscriptionStatus[] = ["active", "trialing", "past_due", "unpaid"];

/** Returns what an owner's pages show of a subscription. */
export function showSubscription(subscription: OwnSubscription, now: Date): ShownSubscription {
  const { id, provider, planKey, period, status, cancelAtPeriodEnd, endedAt } = subscription;
  const { scheduledPlanKey, scheduledPeriod } = subscription;
  return {
    id,
    provider,
    planKey,
    period,
    amount: findPlan(planKey)?.amounts[period] ?? null,
    status,
    cancelAtPeriodEnd,
    periodEnd: subscription.currentPeriodEnd,
    endedAt,
    nextCredits: nextCredits(subscription, now),
    planned:
      scheduledPlanKey && scheduledPeriod && !cancelAtPeriodEnd
        ? { planKey: scheduledPlanKey, period: scheduledPeriod }
        : null,
    changeable: status === "active" && !cancelAtPeriodEnd,
    keepable: cancelAtPeriodEnd && KEEPABLE.includes(status),
    cancelable: status !== "canceled" && (!cancelAtPeriodEnd || endsAtOnce(subscription)),
  };
}
