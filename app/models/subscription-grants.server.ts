import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { PLANS } from "~/models/catalog";
import { bookLocked } from "~/models/credit-expiries.server";
import { insertLots } from "~/models/credit-lots.server";
import { boundarySql } from "~/models/subscription-periods.server";

/** Boundaries of one subscription that are caught up at a time. */
const MAX_CATCH_UP = 24;

/** What makes a subscription due. The index `subscriptions_due_idx` is on the first two. */
export const DUE = Prisma.sql`
  status IN ('active', 'trialing') AND next_grant_at < paid_until
  AND next_grant_at <= statement_timestamp()`;

export interface IssuedGrants {
  grants: number;
  credits: number;
  /** Ids of the subscriptions that got any. */
  subscriptionIds: string[];
}

/**
 * Issues the monthly grants that are due to these subscriptions, which an earlier statement of the
 * transaction has locked: oldest boundary first, 24 at most each. The source names the boundary, so
 * that each is granted once, whoever comes first: the webhook, the daily job, or a spend that falls
 * short. What was caught up and is over already is booked as expired at once.
 */
export async function issueDueGrants(
  ids: string[],
  transaction: DatabaseOrTransaction,
): Promise<IssuedGrants> {
  const issued = { grants: 0, credits: 0 };
  const rounds = new Map<string, number>();
  const overdue = new Set<string>();
  let open = ids;
  while (open.length > 0) {
    const due = await listDue(open, transaction);
    if (due.length === 0) break;
    if (rounds.size === 0) await ensureAccounts(ids, transaction);
    const lots = await insertLots(wantedLots(due), transaction);
    for (const userId of await advance(due, transaction)) overdue.add(userId);
    issued.grants += lots.length;
    for (const { amount } of lots) issued.credits += amount;
    for (const id of due) rounds.set(id, (rounds.get(id) ?? 0) + 1);
    open = open.filter((id) => (rounds.get(id) ?? 0) < MAX_CATCH_UP);
  }
  if (overdue.size > 0) await bookLocked([...overdue], transaction);
  return { ...issued, subscriptionIds: [...rounds.keys()] };
}

/** The ids of those that are due, one a user: a user's two subscriptions take turns. */
async function listDue(ids: string[], transaction: DatabaseOrTransaction): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (user_id) id FROM subscriptions
    WHERE id = ANY (${ids}::uuid[]) AND ${DUE}
    ORDER BY user_id, next_grant_at, id`;
  return rows.map(({ id }) => id);
}

/** In the order in which accounts are locked, too. */
async function ensureAccounts(ids: string[], transaction: DatabaseOrTransaction): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO credit_accounts (user_id)
    SELECT DISTINCT user_id FROM subscriptions WHERE id = ANY (${ids}::uuid[]) ORDER BY user_id
    ON CONFLICT (user_id) DO NOTHING`;
}

const NEXT_BOUNDARY = boundarySql(Prisma.sql`grant_anchor_at`, Prisma.sql`grants_issued + 1`);

/** A plan that the catalog does not have gives no amount, which the ledger refuses. */
function wantedLots(ids: string[]): Prisma.Sql {
  const plans = PLANS.map((plan) => Prisma.sql`(${plan.planKey}, ${plan.creditsPerMonth}::int)`);
  return Prisma.sql`
    SELECT user_id, 'grant'::credit_transaction_type AS type, credits AS amount,
      format('subscription:%s:%s:%s', provider, provider_subscription_id,
        to_char(next_grant_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS source,
      least(${NEXT_BOUNDARY}, paid_until) AS expires_at,
      id::text AS reference, NULL::text AS description
    FROM subscriptions
      LEFT JOIN (VALUES ${Prisma.join(plans)}) AS plan (plan_key, credits) USING (plan_key)
    WHERE id = ANY (${ids}::uuid[])`;
}

/** Moves each on by one boundary; answers the users whose grant is over already. */
async function advance(ids: string[], transaction: DatabaseOrTransaction): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ userId: string; over: boolean }[]>`
    UPDATE subscriptions SET grants_issued = grants_issued + 1,
      next_grant_at = ${NEXT_BOUNDARY}, granted_until = least(${NEXT_BOUNDARY}, paid_until)
    WHERE id = ANY (${ids}::uuid[])
    RETURNING user_id AS "userId", granted_until <= statement_timestamp() AS over`;
  return rows.flatMap(({ userId, over }) => (over ? [userId] : []));
}
