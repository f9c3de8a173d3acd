import { randomUUID } from "node:crypto";
import type { Database } from "~/db.server";
import type { SubscriptionStatus } from "~/generated/prisma/enums";
import { notePeriod } from "~/models/billing/periods/note-period.server";
import { refreshGrants } from "~/models/billing/periods/periods.server";
import { PLAN } from "../fixtures/sold";

export interface TestSubscription {
  id: string;
  userId: string;
  providerSubscriptionId: string;
}

/** Creates an active subscription, paid from its anchor, as its first event would leave it. */
export async function createSubscription(
  db: Database,
  {
    userId,
    anchor,
    paidUntil,
    planKey = PLAN.planKey,
    status = "active",
  }: {
    userId: string;
    anchor: Date;
    paidUntil: Date;
    planKey?: string;
    status?: SubscriptionStatus;
  },
): Promise<TestSubscription> {
  const providerSubscriptionId = `sub_${randomUUID()}`;
  const { id } = await db.subscription.create({
    data: {
      userId,
      provider: "stripe",
      providerSubscriptionId,
      providerCustomerId: `cus_${userId}`,
      planKey,
      period: "year",
      status,
      currentPeriodStart: anchor,
      currentPeriodEnd: paidUntil,
    },
    select: { id: true },
  });
  await payPeriod(db, { id }, { from: anchor, until: paidUntil, planKey });
  return { id, userId, providerSubscriptionId };
}

/** Notes a paid period, as an invoice without an id would. */
export function payPeriod(
  db: Database,
  { id: subscriptionId }: { id: string },
  { from, until, planKey = PLAN.planKey }: { from: Date; until: Date; planKey?: string },
): Promise<void> {
  const unpaid = { payment: null, paidAt: null, replacesEarlier: true } as const;
  const period = { kind: "paid", period: "year", ...unpaid } as const;
  return db.$transaction(async (transaction) => {
    await notePeriod(
      { ...period, subscriptionId, startsAt: from, endsAt: until, planKey },
      transaction,
    );
    await refreshGrants(subscriptionId, transaction);
  });
}

/** Moves the user's subscriptions and their periods so many hours back, as if that time had passed. */
export async function passPeriods(db: Database, userId: string, hours: number): Promise<void> {
  await db.$executeRaw`
    UPDATE subscriptions SET next_grant_at = next_grant_at - make_interval(hours => ${hours}),
      grant_anchor_at = grant_anchor_at - make_interval(hours => ${hours}),
      paid_until = paid_until - make_interval(hours => ${hours})
    WHERE user_id = ${userId}::uuid`;
  await db.$executeRaw`
    UPDATE subscription_periods SET starts_at = starts_at - make_interval(hours => ${hours}),
      ends_at = ends_at - make_interval(hours => ${hours}),
      paid_at = paid_at - make_interval(hours => ${hours})
    WHERE subscription_id IN (SELECT id FROM subscriptions WHERE user_id = ${userId}::uuid)`;
}

/** Returns the boundaries granted to a subscription, oldest first, with amount and expiry. */
export async function grantsOf(db: Database, { providerSubscriptionId }: TestSubscription) {
  const prefix = `subscription:stripe:${providerSubscriptionId}:`;
  const rows = await db.creditTransaction.findMany({
    where: { source: { startsWith: prefix } },
    orderBy: { id: "asc" },
    select: { source: true, amount: true, expiresAt: true, remaining: true },
  });
  return rows.map(({ source, expiresAt, ...row }) => ({
    ...row,
    boundary: source.slice(prefix.length),
    expiresAt: expiresAt?.toISOString() ?? null,
  }));
}

/**
 * Returns a date this many months away, counted from the first of the month so that no day is
 * clamped.
 */
export function monthsFromNow(months: number): Date {
  const at = new Date();
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1, 0, 0, 0));
}

/**
 * Creates `count` users with a subscription whose first month is due since yesterday, in one
 * statement.
 */
export async function createDueSubscriptions(db: Database, count: number): Promise<void> {
  await db.$executeRaw`
    WITH person AS (
      INSERT INTO users (email)
      SELECT gen_random_uuid() || '@example.com' FROM generate_series(1, ${count}::int) RETURNING id
    ),
    subscribed AS (
      INSERT INTO subscriptions (id, user_id, provider, provider_subscription_id, plan_key, period,
        status, grant_anchor_at, next_grant_at, paid_until, grant_period_id)
      SELECT id, id, 'stripe', 'sub_' || id, ${PLAN.planKey}::text, 'month', 'active', since, since,
        since + interval '1 year', id
      FROM person, (SELECT date_trunc('day', now()) - interval '1 day' AS since) AS start
      RETURNING id, provider, plan_key, period, grant_anchor_at, paid_until
    )
    INSERT INTO subscription_periods (id, subscription_id, provider, starts_at, ends_at, plan_key, period)
    SELECT id, id, provider, grant_anchor_at, paid_until, plan_key, period FROM subscribed`;
}
