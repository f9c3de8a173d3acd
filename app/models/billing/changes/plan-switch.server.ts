import { type Database, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { predictCredits } from "~/models/billing/changes/credits.server";
import type { PlanSwitch } from "~/models/billing/changes/plan-switch";
import {
  findOwnSubscription,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { isUuid } from "~/utils/uuid";

interface SwitchRow {
  changedAt: Date;
  periodEnd: Date | null;
  paymentId: string | null;
  paidAmount: bigint | null;
  currency: string | null;
  isGranted: boolean | null;
  amount: number | null;
  balanceAfter: number | null;
  expiresAt: Date | null;
  addedAt: Date | null;
}

/**
 * Returns what has come of the change at once that was made to this subscription last, within the last
 * hour; null without one. Its credits are in once its invoice has brought its period and that period's
 * month was granted: the provider's webhooks do both.
 */
export async function findPlanSwitch(
  { userId, subscriptionId }: { userId: string; subscriptionId: string },
  db: Database = getDb(),
): Promise<{ subscription: OwnSubscription; made: PlanSwitch } | null> {
  if (!isUuid(subscriptionId)) return null;
  const subscription = await findOwnSubscription(userId, db, subscriptionId);
  if (!subscription) return null;
  const statement = Prisma.sql`
    SELECT own.own_write_at AS "changedAt", own.current_period_end AS "periodEnd",
      paid.id AS "paymentId", paid.amount AS "paidAmount", paid.currency,
      own.next_grant_at > now() AS "isGranted", lot.amount, lot.balance_after AS "balanceAfter",
      lot.expires_at AS "expiresAt", lot.created_at AS "addedAt"
    FROM subscriptions own
    LEFT JOIN LATERAL (
      SELECT id, amount, currency, created_at FROM subscription_periods
      WHERE subscription_id = own.id AND plan_key = own.plan_key AND period = own.period
        AND starts_at > own.own_write_at - interval '1 hour' AND kind <> 'trial'
      ORDER BY starts_at DESC LIMIT 1
    ) AS paid ON true
    LEFT JOIN LATERAL (
      SELECT amount, balance_after, expires_at, created_at FROM credit_transactions
      WHERE user_id = own.user_id AND type = 'grant' AND created_at >= paid.created_at
        AND starts_with(source, 'upgrade:' || own.provider || ':' || own.provider_subscription_id || ':')
      ORDER BY credit_transactions.id DESC LIMIT 1
    ) AS lot ON true
    WHERE own.id = ${subscriptionId}::uuid AND own.user_id = ${userId}::uuid
      AND own.own_write_at > now() - interval '1 hour' AND own.status = 'active'`;
  const [row] = await queryPrepared<SwitchRow>("find_plan_switch", statement, db);
  if (!row) return null;
  if (row.paymentId && row.isGranted) return { subscription, made: arrived(row, row.paymentId) };
  const expected = row.paymentId ? null : await predict(subscription, row, db);
  return { subscription, made: { status: "waiting", expected } };
}

function arrived(row: SwitchRow, paymentId: string): PlanSwitch {
  const { amount, balanceAfter, expiresAt, addedAt, paidAmount, currency } = row;
  return {
    status: "arrived",
    payment: {
      id: paymentId,
      total: paidAmount !== null && currency ? { amount: Number(paidAmount), currency } : null,
    },
    added:
      amount !== null && balanceAfter !== null && addedAt
        ? { amount, balanceAfter, expiresAt, at: addedAt }
        : null,
  };
}

/** The credits on top that its payment will bring, by the rules that will grant them. */
async function predict(
  subscription: OwnSubscription,
  { changedAt: startsAt, periodEnd: endsAt }: SwitchRow,
  db: Database,
): Promise<number | null> {
  if (!endsAt) return null;
  const { planKey, period } = subscription;
  const { difference } = await predictCredits(
    { subscription, startsAt, endsAt, planKey, period },
    db,
  );
  return difference;
}
