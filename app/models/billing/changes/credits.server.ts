import { type Database, getDb } from "~/db.server";
import type { CreditsOfChange } from "~/models/billing/changes/preview";
import { findNextGrant } from "~/models/billing/periods/next-grant";
import {
  listPeriods,
  monthlyCredits,
  type StoredPeriod,
} from "~/models/billing/periods/periods.server";
import { NONE } from "~/models/billing/shares/share";
import type { OwnSubscription } from "~/models/billing/subscriptions/management.server";
import type { PlanTarget } from "~/services/payments/plan-changes";

const PREDICTED = "predicted";

/**
 * Predicts the credits of a change that takes effect at once, by the rules that will grant them: the
 * paid period is added in thought, and nothing is written.
 */
export function predictCredits(
  change: { subscription: OwnSubscription; startsAt: Date; endsAt: Date } & PlanTarget,
  db: Database = getDb(),
): Promise<CreditsOfChange> {
  const { subscription, planKey } = change;
  const monthly = monthlyCredits(planKey);
  return db.$transaction(async (transaction) => {
    const known = await listPeriods([subscription.id], transaction);
    // Within a period that goes on, only the difference is paid.
    const isWithin = known.some(({ endsAt }) => endsAt.getTime() === change.endsAt.getTime());
    const periods = [...known, periodOf(change, isWithin ? "upgrade" : "paid")];
    const next = findNextGrant(periods, monthlyCredits);
    if (next?.lot?.period.id !== PREDICTED) return { difference: null, monthly, nextAt: null };
    const { lot, anchorAt: nextAt } = next;
    if (!lot.isUpgrade) return { difference: 0, monthly, nextAt };
    const difference = lot.parts.reduce(
      (sum, { credits, withheld }) => sum + credits - withheld,
      0,
    );
    return { difference, monthly, nextAt };
  });
}

function periodOf(
  { subscription, startsAt, endsAt, planKey, period }: Parameters<typeof predictCredits>[0],
  kind: StoredPeriod["kind"],
): StoredPeriod {
  return {
    id: PREDICTED,
    subscriptionId: subscription.id,
    provider: subscription.provider,
    kind,
    startsAt,
    endsAt,
    planKey,
    period,
    closedAt: null,
    anchorOffset: null,
    grantedFor: null,
    grantedCredits: null,
    providerPaymentId: null,
    amount: null,
    currency: null,
    amountReturned: 0,
    creditsReversed: 0,
    creditsShort: 0,
    isTakenBack: false,
    paidAt: startsAt,
    replacesEarlier: true,
    share: NONE,
    worstShare: NONE,
  };
}
