import { findPlan } from "~/catalog";
import type { DatabaseOrTransaction, Transaction } from "~/db.server";
import { PAYMENT_PROVIDERS, type PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { findNextGrant, type GrantCursor } from "~/models/billing/periods/next-grant";
import type { PaidPeriod } from "~/models/billing/periods/paid-periods";
import { type ReturnRow, returnedShare, type Sale } from "~/models/billing/shares/returned-share";
import { ALL, type Share } from "~/models/billing/shares/share";
import { IS_PERIOD_TOTAL } from "~/models/billing/shares/total-rows.server";

/** A paid period as it is stored, with the share of its payment that is away. Amounts in minor units. */
export interface StoredPeriod extends PaidPeriod {
  subscriptionId: string;
  provider: PaymentProviderName;
  providerPaymentId: string | null;
  amount: number | null;
  currency: string | null;
  amountReturned: number;
  /** Credits of the running month that returns took, less those given back; those never granted are counted. */
  creditsReversed: number;
  /** Credits of the running month that returns could not take. */
  creditsShort: number;
  /** The subscription was ended at once: whatever comes back of its running month is taken. */
  isTakenBack: boolean;
}

/** Minutes after it was asked for in which an end is the one that was asked for: the provider's clock says when it ended. */
const ENDING_MINUTES = 10;

/**
 * SQL: whether a row of `subscriptions` was ended at once by an admin, or had ended when one asked for it. The row says that it is
 * asked for before the provider is, so whoever hears of the end first takes what is left. An end that nobody confirmed, and another
 * one later, is none of these.
 */
const IS_TAKEN_BACK = Prisma.sql`(subscriptions.status = 'canceled'
  AND coalesce(subscriptions.ended_at, subscriptions.end_asked_at)
    <= subscriptions.end_asked_at + make_interval(mins => ${ENDING_MINUTES})) IS TRUE`;

/** All periods of these subscriptions, in the order in which they were noted. */
export async function listPeriods(
  ids: string[],
  transaction: Transaction,
): Promise<StoredPeriod[]> {
  const sales = await listPeriodSales(ids, transaction);
  return sales.map((sale) => {
    if (!hasShares(sale))
      throw new Error(`period ${sale.id}: its returns don't say what was charged`);
    return sale;
  });
}

/** A period as it is stored, with its returns; the shares are null if these don't say what was charged. */
interface PeriodSale extends Omit<StoredPeriod, "share" | "worstShare"> {
  returns: ReturnRow[];
  share: Share | null;
  worstShare: Share | null;
}

/** Periods by their subscription's id. */
export function groupPeriods<Period extends { subscriptionId: string }>(
  periods: readonly Period[],
): Map<string, Period[]> {
  const groups = new Map<string, Period[]>();
  for (const period of periods) {
    const group = groups.get(period.subscriptionId);
    if (group) group.push(period);
    else groups.set(period.subscriptionId, [period]);
  }
  return groups;
}

/** Whether the returns of a period say what share of its payment is away. */
export const hasShares = (sale: PeriodSale): sale is PeriodSale & StoredPeriod =>
  sale.share !== null && sale.worstShare !== null;

/** `listPeriods` for periods that may have unusable returns. */
export async function listPeriodSales(
  ids: string[],
  db: DatabaseOrTransaction,
): Promise<PeriodSale[]> {
  const rows = await db.$queryRaw<Omit<StoredPeriod, "share" | "worstShare">[]>`
    SELECT paid.id, subscription_id AS "subscriptionId", paid.provider, kind::text,
      starts_at AS "startsAt", ends_at AS "endsAt", paid.plan_key AS "planKey", paid.period,
      closed_at AS "closedAt",
      anchor_offset::float8 AS "anchorOffset", granted_for::float8 AS "grantedFor",
      provider_payment_id AS "providerPaymentId", amount::float8, currency,
      amount_returned::float8 AS "amountReturned", granted_credits AS "grantedCredits",
      credits_reversed AS "creditsReversed", credits_short AS "creditsShort",
      paid_at AS "paidAt", replaces_earlier AS "replacesEarlier", ${IS_TAKEN_BACK} AS "isTakenBack"
    FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
    WHERE subscription_id = ANY (${ids}::uuid[])
    ORDER BY paid.created_at, paid.id`;
  const sales = await listReturnedSales(ids, db);
  return rows.map((row) => {
    const { returns, parts } = sales.get(row.id) ?? { returns: [], parts: null };
    const sale: Sale = { ...row, parts };
    // Versions before 1.0 closed periods of which nobody had said what was charged.
    const unknown = row.closedAt ? ALL : null;
    const share = returnedShare(returns, sale) ?? unknown;
    const worstShare = returnedShare(returns, sale, "at_worst") ?? unknown;
    return Object.assign(row, { returns, share, worstShare });
  });
}

interface ReturnedSale {
  returns: ReturnRow[];
  parts: Sale["parts"];
}

/** The returns of these subscriptions' periods, by the period's id, and the payments of their invoices. */
async function listReturnedSales(
  ids: string[],
  db: DatabaseOrTransaction,
): Promise<Map<string, ReturnedSale>> {
  const sales = new Map<string, ReturnedSale>();
  const rows = await db.$queryRaw<(ReturnRow & { periodId: string })[]>`
    SELECT period_id AS "periodId", provider_return_id AS "providerReturnId",
      ${IS_PERIOD_TOTAL} AS "isTotal", returned.kind,
      returned.provider_payment_id AS "providerPaymentId", state, returned.amount::float8,
      charged_amount::float8 AS "chargedAmount", returned.currency
    FROM payment_returns returned JOIN subscription_periods paid ON paid.id = period_id
    WHERE subscription_id = ANY (${ids}::uuid[])
    ORDER BY heard_at, returned.id`;
  for (const { periodId, ...row } of rows) {
    const sale = sales.get(periodId) ?? { returns: [], parts: null };
    sales.set(periodId, { ...sale, returns: [...sale.returns, row] });
  }
  if (sales.size === 0) return sales;
  const links = await db.$queryRaw<
    { periodId: string; provider: PaymentProviderName; paymentId: string; amount: number | null }[]
  >`
    SELECT paid.id AS "periodId", provider, provider_intent_id AS "paymentId", link.amount::float8
    FROM invoice_payments link
      JOIN subscription_periods paid USING (provider, provider_payment_id)
    WHERE paid.id = ANY (${[...sales.keys()]}::uuid[])`;
  for (const { periodId, provider, paymentId, amount } of links) {
    const sale = sales.get(periodId);
    if (!sale || !PAYMENT_PROVIDERS[provider].splitsInvoices) continue;
    sales.set(periodId, { ...sale, parts: new Map([...(sale.parts ?? []), [paymentId, amount]]) });
  }
  return sales;
}

/**
 * Derives from its periods where the grants of a subscription go on: `next_grant_at`, the key of the
 * queue, and what belongs to it. To be called in the same transaction after every change of periods, with
 * the subscription locked.
 */
export async function refreshGrants(id: string, transaction: Transaction): Promise<void> {
  const next = findNextGrant(await listPeriods([id], transaction), monthlyCredits);
  await storeCursors([{ id, next }], transaction);
}

/** `refreshGrants` for next grants that are known already. */
export async function storeCursors(
  subscriptions: readonly { id: string; next: GrantCursor | null }[],
  transaction: Transaction,
): Promise<void> {
  const column = <Value>(read: (cursor: GrantCursor) => Value) =>
    subscriptions.map(({ next }) => (next ? read(next) : null));
  await transaction.$executeRaw`
    UPDATE subscriptions subscription SET
      grant_period_id = derived.period_id,
      -- Without an open period, what is left is a past without a next boundary that anything pays for.
      grant_anchor_at = coalesce(derived.anchor, grant_anchor_at),
      grants_issued = coalesce(derived.months, grants_issued),
      next_grant_at = coalesce(derived.next, next_grant_at),
      paid_until = coalesce(derived.until, least(paid_until, next_grant_at, statement_timestamp()))
    FROM unnest(
      ${subscriptions.map(({ id }) => id)}::uuid[], ${column(({ periodId }) => periodId)}::uuid[],
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
