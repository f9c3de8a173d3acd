import { findPlan, type Period } from "~/catalog";
import type { Transaction } from "~/db.server";
import { findNextGrant, type PaidPeriod } from "~/models/billing/periods/paid-periods";

/** A paid period as it is stored. Amounts in minor units. */
export interface StoredPeriod extends PaidPeriod {
  subscriptionId: string;
  provider: string;
  providerPaymentId: string | null;
  period: Period;
  amount: number | null;
  currency: string | null;
  amountRefunded: number;
  amountDisputed: number;
  amountReturned: number;
  /** The worth of the last lot in credits, before returns; null if it is unknown. */
  grantedCredits: number | null;
}

export interface NewPeriod {
  subscriptionId: string;
  kind: PaidPeriod["kind"];
  startsAt: Date;
  endsAt: Date;
  planKey: string;
  period: string;
  payment: PeriodPayment | null;
}

/** The payment of a period. */
export interface PeriodPayment {
  /** Stripe: the invoice. Creem: the transaction. */
  id: string;
  /** Stripe: the payment intent, where the event names it. */
  intentId: string | null;
  /** Minor units; null where the event doesn't say. */
  amount: number | null;
  currency: string | null;
}

/** All periods of these subscriptions, in the order in which they were noted. */
export function listPeriods(ids: string[], transaction: Transaction): Promise<StoredPeriod[]> {
  return transaction.$queryRaw`
    SELECT id, subscription_id AS "subscriptionId", provider, kind::text, starts_at AS "startsAt",
      ends_at AS "endsAt", plan_key AS "planKey", period, closed_at AS "closedAt",
      anchor_offset::float8 AS "anchorOffset", granted_for::float8 AS "grantedFor",
      provider_payment_id AS "providerPaymentId", amount::float8, currency,
      amount_refunded::float8 AS "amountRefunded", amount_disputed::float8 AS "amountDisputed",
      amount_returned::float8 AS "amountReturned", granted_credits AS "grantedCredits"
    FROM subscription_periods WHERE subscription_id = ANY (${ids}::uuid[])
    ORDER BY created_at, id`;
}

/**
 * Adds a period to a subscription that an earlier statement has locked. A payment that is known
 * already changes nothing. A period without a payment (the first one, granted before its invoice came)
 * takes over the payment, plan and end of the one that begins when it does. A payment without an id
 * counts once per start.
 */
export async function notePeriod(noted: NewPeriod, transaction: Transaction): Promise<void> {
  const { subscriptionId, kind, startsAt, endsAt, planKey, period, payment } = noted;
  if (payment) {
    await linkPayment({ subscriptionId, payment }, transaction);
    if (await adoptPayment({ ...noted, payment }, transaction)) return;
  }
  await transaction.$executeRaw`
    INSERT INTO subscription_periods (subscription_id, kind, provider, provider_payment_id,
      starts_at, ends_at, plan_key, period, amount, currency)
    SELECT id, ${kind}::period_kind, provider, ${payment?.id ?? null}, ${startsAt}::timestamptz,
      ${endsAt}::timestamptz, ${planKey}, ${period}, ${payment?.amount ?? null}::bigint, ${payment?.currency ?? null}
    FROM subscriptions WHERE id = ${subscriptionId}::uuid
      AND (${payment !== null} OR NOT EXISTS (
        SELECT 1 FROM subscription_periods
        WHERE subscription_id = ${subscriptionId}::uuid AND starts_at = ${startsAt}::timestamptz
      ))
    ON CONFLICT (provider, provider_payment_id) DO NOTHING`;
}

/** Notes which payment intent paid it, where the event says so. */
async function linkPayment(
  { subscriptionId, payment }: { subscriptionId: string; payment: PeriodPayment },
  transaction: Transaction,
): Promise<void> {
  if (payment.intentId === null) return;
  await transaction.$executeRaw`
    INSERT INTO invoice_payments (provider, provider_intent_id, provider_payment_id)
    SELECT provider, ${payment.intentId}, ${payment.id} FROM subscriptions
    WHERE id = ${subscriptionId}::uuid
    ON CONFLICT DO NOTHING`;
}

/**
 * Fills in the payment of the period with the same start that has none yet; false if there is none. Not
 * of one that was granted beyond the end that was paid for: that is another period.
 */
async function adoptPayment(
  {
    subscriptionId,
    startsAt,
    endsAt,
    planKey,
    period,
    payment,
  }: NewPeriod & { payment: PeriodPayment },
  transaction: Transaction,
): Promise<boolean> {
  const adopted = await transaction.$executeRaw`
    UPDATE subscription_periods SET
      provider_payment_id = ${payment.id},
      amount = coalesce(${payment.amount}::bigint, amount),
      currency = coalesce(${payment.currency}, currency),
      ends_at = ${endsAt}::timestamptz, plan_key = ${planKey}, period = ${period}
    WHERE id = (
      SELECT id FROM subscription_periods
      WHERE subscription_id = ${subscriptionId}::uuid AND starts_at = ${startsAt}::timestamptz
        AND provider_payment_id IS NULL
        AND (granted_for IS NULL
          OR starts_at + granted_for * interval '1 millisecond'
            <= ${endsAt}::timestamptz + interval '1 day')
      ORDER BY created_at LIMIT 1
    ) AND NOT EXISTS (
      SELECT 1 FROM subscription_periods known
      WHERE known.provider = subscription_periods.provider AND known.provider_payment_id = ${payment.id}
    )`;
  return adopted === 1;
}

/**
 * Derives from their periods where the grants of these subscriptions go on: `next_grant_at`, the key
 * of the queue, and what belongs to it. To be called in the same transaction after every change of
 * periods, with the subscriptions locked.
 */
export async function refreshGrants(ids: string[], transaction: Transaction): Promise<void> {
  if (ids.length === 0) return;
  const periods = await listPeriods(ids, transaction);
  const cursors = ids.map((id) =>
    findNextGrant(
      periods.filter(({ subscriptionId }) => subscriptionId === id),
      monthlyCredits,
    ),
  );
  const column = <Value>(read: (cursor: NonNullable<(typeof cursors)[number]>) => Value) =>
    cursors.map((cursor) => (cursor ? read(cursor) : null));
  await transaction.$executeRaw`
    UPDATE subscriptions subscription SET
      grant_period_id = derived.period_id,
      -- Without an open period, what is left is a past without a next boundary that anything pays for.
      grant_anchor_at = coalesce(derived.anchor, grant_anchor_at),
      grants_issued = coalesce(derived.months, grants_issued),
      next_grant_at = coalesce(derived.next, next_grant_at),
      paid_until = coalesce(derived.until, least(paid_until, next_grant_at, statement_timestamp()))
    FROM unnest(
      ${ids}::uuid[], ${column(({ periodId }) => periodId)}::uuid[],
      ${column(({ anchorAt }) => anchorAt.toISOString())}::timestamptz[],
      ${column(({ monthsIssued }) => monthsIssued)}::int[],
      ${column(({ nextGrantAt }) => nextGrantAt.toISOString())}::timestamptz[],
      ${column(({ paidUntil }) => paidUntil.toISOString())}::timestamptz[]
    ) AS derived (id, period_id, anchor, months, next, until)
    WHERE subscription.id = derived.id`;
}

/** Credits per month of a plan; 0 for one that the catalog no longer has. */
export function monthlyCredits(planKey: string): number {
  return findPlan(planKey)?.creditsPerMonth ?? 0;
}
