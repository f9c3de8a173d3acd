import type { DatabaseOrTransaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { groupPeriods, hasShares, listPeriodSales } from "~/models/billing/periods/periods.server";
import { planSettlement, type Settlement } from "~/models/billing/returns/month-settlement.server";
import { type ReturnRow, returnedShare } from "~/models/billing/shares/returned-share";
import { isAll, portionOf } from "~/models/billing/shares/share";
import { IS_ORDER_TOTAL } from "~/models/billing/shares/total-rows.server";
import type { LedgerFault } from "~/models/credits/rule-set";

/**
 * Compares orders and paid periods with the returns of their payments: what an order or a running month
 * owes is what its returns want less what they took, and a period is closed while all of its payment is
 * away, and only then.
 *
 * Left out are sales of which the returns don't say what was charged, and those with a total from before
 * version 1.0: its currency wasn't kept.
 */
export async function listReturnFaults(
  userIds: string[],
  db: DatabaseOrTransaction,
): Promise<LedgerFault[]> {
  const totals = await listOldTotals(userIds, db);
  const orders = await listOwingOrders(userIds, db);
  const { periods, owners, now } = await listOwingPeriods(userIds, db);
  const faults = [
    ...orders.map((order) => ({ ...order, problem: describeOrder(order) })),
    ...listPeriodProblems(periods, now).map(({ period: { id, subscriptionId }, problem }) => ({
      ...{ id, problem },
      userId: owners.get(subscriptionId) ?? "",
    })),
  ];
  return faults.flatMap(({ id, userId, problem }) => {
    if (!problem || totals.has(id)) return [];
    return [{ rule: "owed", userId, transactionId: null, detail: problem }];
  });
}

/** Ids of the orders and periods with a total that the upgrade to returns has made of older figures. */
async function listOldTotals(userIds: string[], db: DatabaseOrTransaction): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT coalesce(order_id, period_id) AS id FROM payment_returns
    WHERE provider_return_id IS NULL AND provider_at IS NULL AND (
      order_id IN (SELECT id FROM orders WHERE user_id = ANY (${userIds}::uuid[]))
      OR period_id IN (
        SELECT paid.id FROM subscription_periods paid
          JOIN subscriptions ON subscriptions.id = subscription_id
        WHERE user_id = ANY (${userIds}::uuid[])
      )
    )`;
  return new Set(rows.map(({ id }) => id));
}

interface OwingOrder {
  id: string;
  userId: string;
  provider: PaymentProviderName;
  isPaid: boolean;
  credits: number;
  amount: number;
  currency: string;
  creditsReversed: number;
  creditsShort: number;
  returns: ReturnRow[];
}

/** The orders of these users of which something went back or is owed. */
function listOwingOrders(userIds: string[], db: DatabaseOrTransaction): Promise<OwingOrder[]> {
  return db.$queryRaw`
    SELECT orders.id, user_id AS "userId", orders.provider, orders.paid_at IS NOT NULL AS "isPaid",
      credits, orders.amount::float8, orders.currency, credits_reversed AS "creditsReversed",
      credits_short AS "creditsShort", coalesce(jsonb_agg(jsonb_build_object(
        'providerReturnId', provider_return_id, 'isTotal', ${IS_ORDER_TOTAL}, 'kind', kind,
        'providerPaymentId', returned.provider_payment_id, 'state', state,
        'amount', returned.amount, 'chargedAmount', charged_amount, 'currency', returned.currency
      ) ORDER BY heard_at, returned.id) FILTER (WHERE returned.id IS NOT NULL), '[]') AS returns
    FROM orders LEFT JOIN payment_returns returned ON order_id = orders.id
    WHERE user_id = ANY (${userIds}::uuid[])
    GROUP BY orders.id
    HAVING count(returned.id) > 0 OR credits_reversed <> 0 OR credits_short <> 0
    ORDER BY user_id, orders.id`;
}

function describeOrder(order: OwingOrder): string | null {
  const { id, isPaid, credits, creditsReversed, creditsShort, returns } = order;
  const share = returnedShare(returns, { ...order, parts: null });
  if (!share) return null;
  const wanted = isPaid ? portionOf(credits, share) : 0;
  if (creditsShort === wanted - creditsReversed) return null;
  return `order ${id} owes ${creditsShort} credits, its returns want ${wanted} and took ${creditsReversed}`;
}

type PeriodSale = Awaited<ReturnType<typeof listPeriodSales>>[number];

/** The periods of subscriptions of which something went back, is closed or owed, and their users. */
async function listOwingPeriods(
  userIds: string[],
  db: DatabaseOrTransaction,
): Promise<{ periods: PeriodSale[]; owners: Map<string, string>; now: Date }> {
  const rows = await db.$queryRaw<{ id: string; userId: string; now: Date }[]>`
    SELECT id, user_id AS "userId", statement_timestamp() AS now FROM subscriptions
    WHERE user_id = ANY (${userIds}::uuid[]) AND id IN (
      SELECT subscription_id FROM subscription_periods paid
      WHERE closed_at IS NOT NULL OR credits_short <> 0 OR credits_reversed <> 0
        OR EXISTS (SELECT 1 FROM payment_returns WHERE period_id = paid.id)
    )
    ORDER BY user_id, id`;
  const owners = new Map(rows.map(({ id, userId }) => [id, userId]));
  const periods = rows.length > 0 ? await listPeriodSales([...owners.keys()], db) : [];
  return { periods, owners, now: rows[0]?.now ?? new Date() };
}

function listPeriodProblems(periods: PeriodSale[], now: Date) {
  const settlements = new Map(
    [...groupPeriods(periods).values()]
      .filter((own) => own.every(hasShares))
      .flatMap((own) => planSettlement(own.filter(hasShares), now))
      .map((settlement) => [settlement.period.id, settlement]),
  );
  return periods.map((period) => {
    const problem =
      describeOpenness(period) ?? describeDebt(period, settlements.get(period.id), now);
    return { period, problem };
  });
}

function describeOpenness({ id, share, closedAt }: PeriodSale): string | null {
  if (!share || isAll(share) === (closedAt !== null)) return null;
  return closedAt === null
    ? `period ${id} is open, and all of its payment is away`
    : `period ${id} is closed, and not all of its payment is away`;
}

/** A settlement would move exactly the credits that the period says it owes: the rest was settled. */
function describeDebt(
  { id, creditsReversed, creditsShort }: PeriodSale,
  settlement: Settlement | undefined,
  now: Date,
): string | null {
  if (!settlement || settlement.expiresAt <= now || settlement.due === creditsShort) return null;
  return `period ${id} owes ${creditsShort} credits of its month, its returns want ${settlement.wanted} and took ${creditsReversed}`;
}
