import { findPlan } from "~/catalog";
import type { OwnSubscription } from "~/models/billing/subscriptions/management.server";

/** When a subscription's next monthly credits come, or what they are waiting for. */
export type NextCredits =
  /** `due` credits come within minutes; `renewal` credits come only if the renewal is paid. */
  | { status: "due" | "scheduled" | "renewal"; amount: number; at: Date }
  | { status: "payment" | "resumption" | "confirmation" | "none" };

type Grants = Pick<
  OwnSubscription,
  "planKey" | "scheduledPlanKey" | "status" | "nextGrantAt" | "paidUntil" | "cancelAtPeriodEnd"
>;

/**
 * Predicts the next monthly grant. Grants are issued while the subscription is active or trialing, at
 * each boundary before `paidUntil`.
 */
export function nextCredits(subscription: Grants, now: Date): NextCredits {
  switch (subscription.status) {
    case "active":
    case "trialing":
      return nextGrant(subscription, now);
    case "past_due":
    case "unpaid":
      return { status: "payment" };
    case "paused":
      return { status: "resumption" };
    case "incomplete":
    case "unknown":
      return { status: "confirmation" };
    case "expired":
    case "canceled":
      return { status: "none" };
  }
}

function nextGrant(subscription: Grants, now: Date): NextCredits {
  const { planKey, scheduledPlanKey, nextGrantAt: at, paidUntil } = subscription;
  const amount = findPlan(planKey)?.creditsPerMonth;
  if (!at || !paidUntil || amount === undefined) return { status: "confirmation" };
  if (at < paidUntil) return { status: at <= now ? "due" : "scheduled", amount, at };
  if (subscription.cancelAtPeriodEnd) return { status: "none" };
  // A planned change comes with the renewal.
  const renewed = findPlan(scheduledPlanKey ?? planKey)?.creditsPerMonth ?? amount;
  return { status: "renewal", amount: renewed, at };
}

type DatedCredits = Extract<NextCredits, { at: Date }>;

/** The soonest credits that have a date; null if none have. */
export function soonestCredits(subscriptions: Grants[], now: Date): DatedCredits | null {
  const dated = subscriptions.flatMap((subscription) => {
    const next = nextCredits(subscription, now);
    return "at" in next ? [next] : [];
  });
  return dated.sort((a, b) => a.at.getTime() - b.at.getTime())[0] ?? null;
}
