import { type Database, getDb, type Transaction } from "~/db.server";
import type { CreditsOfChange } from "~/models/billing/changes/preview";
import { findNextGrant, type GrantCursor } from "~/models/billing/periods/paid-periods";
import {
  listPeriods,
  monthlyCredits,
  type StoredPeriod,
} from "~/models/billing/periods/periods.server";
import { valueUpgrade } from "~/models/billing/periods/upgrade-grants.server";
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
    const period = periodOf(change);
    const periods = [...known, period];
    const cursor = findNextGrant(periods, monthlyCredits);
    if (cursor?.periodId !== PREDICTED) return { difference: null, monthly, nextAt: null };
    const difference = await differenceAt(cursor, { subscription, period, periods }, transaction);
    return { difference, monthly, nextAt: cursor.anchorAt };
  });
}

async function differenceAt(
  { nextGrantAt, anchorAt, paidUntil }: GrantCursor,
  {
    subscription,
    period,
    periods,
  }: { subscription: OwnSubscription; period: StoredPeriod; periods: StoredPeriod[] },
  transaction: Transaction,
): Promise<number> {
  if (nextGrantAt >= anchorAt) return 0;
  const { id, userId, provider, providerSubscriptionId } = subscription;
  const due = {
    ...{ id, userId, provider, providerSubscriptionId },
    ...{ grantPeriodId: PREDICTED, startsAt: nextGrantAt, anchorAt, paidUntil },
  };
  return (await valueUpgrade({ due, period, periods }, transaction)).worth;
}

function periodOf({
  subscription,
  startsAt,
  endsAt,
  planKey,
  period,
}: Parameters<typeof predictCredits>[0]): StoredPeriod {
  return {
    id: PREDICTED,
    subscriptionId: subscription.id,
    provider: subscription.provider,
    kind: "paid",
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
    amountRefunded: 0,
    amountDisputed: 0,
    amountReturned: 0,
  };
}
