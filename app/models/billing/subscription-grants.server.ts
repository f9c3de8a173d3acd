import { PLANS } from "~/catalog";
import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { boundarySql } from "~/models/billing/subscription-periods.server";
import { bookLocked } from "~/models/credits/expiries.server";
import { lotSteps } from "~/models/credits/lots.server";

/** Boundaries that one subscription catches up on per call. */
const MAX_CATCH_UP = 24;

/**
 * SQL condition: the subscription is due. The index `subscriptions_due_idx` covers the first two
 * conditions.
 */
export const DUE = Prisma.sql`
  status IN ('active', 'trialing') AND next_grant_at < paid_until
  AND next_grant_at <= statement_timestamp()`;

export interface IssuedGrants {
  grants: number;
  credits: number;
  /** Number of subscriptions that were granted credits. */
  subscriptions: number;
  /** Ids of subscriptions that are still due because they are more than `MAX_CATCH_UP` boundaries behind. */
  stillDue: string[];
}

/**
 * Issues the due monthly grants of these subscriptions, oldest boundary first, at most 24 each. An
 * earlier statement of the transaction must have locked them. The source names the boundary, so each is
 * granted once, whether the webhook, the daily job or a spend that falls short gets there first. A
 * grant that is already over is booked as expired at once.
 *
 * One month takes two statements, no matter how many subscriptions there are. The statements name only
 * the subscriptions that still have something due. A run over many therefore spends its time in
 * PostgreSQL, not on round trips.
 */
export async function issueDueGrants(
  ids: string[],
  transaction: Transaction,
): Promise<IssuedGrants> {
  const issued: IssuedGrants = { grants: 0, credits: 0, subscriptions: 0, stillDue: [] };
  const months = new Map<string, number>();
  const overdue = new Set<string>();
  for (let open = ids; open.length > 0; ) {
    const round = await issueOneMonth(open, transaction);
    issued.grants += round.grants;
    issued.credits += round.credits;
    // Subscriptions that wait now get their turn in a later round.
    if (open === ids) issued.subscriptions = round.advanced + round.waiting.length;
    if (round.lacksAccounts) await ensureAccounts(round.waiting, transaction);
    for (const userId of round.overdue) overdue.add(userId);
    for (const id of round.again) months.set(id, (months.get(id) ?? 0) + 1);
    const isCaughtUp = (id: string) => (months.get(id) ?? 0) < MAX_CATCH_UP;
    issued.stillDue.push(...round.again.filter((id) => !isCaughtUp(id)));
    open = [...round.again.filter(isCaughtUp), ...round.waiting];
  }
  if (overdue.size > 0) await bookLocked([...overdue], transaction);
  return issued;
}

/**
 * Creates missing accounts, in the order in which accounts are locked. Only a user's first grant finds
 * no account, so this runs only when one was missing. Accounts locked before this belong to other
 * users, and nobody else can hold a lock on an account that does not exist yet.
 */
async function ensureAccounts(ids: string[], transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO credit_accounts (user_id)
    SELECT DISTINCT user_id FROM subscriptions WHERE id = ANY (${ids}::uuid[]) ORDER BY user_id
    ON CONFLICT (user_id) DO NOTHING`;
}

interface Round {
  grants: number;
  credits: number;
  /** Number of subscriptions that moved on by one boundary. */
  advanced: number;
  /** Ids that are due again after this round. */
  again: string[];
  /** Ids that wait: the same user had another subscription in this round, or has no account yet. */
  waiting: string[];
  /** Whether any of the waiting ids lack an account. */
  lacksAccounts: boolean;
  /** Ids of users whose new grant is already over. */
  overdue: string[];
}

const NEXT_BOUNDARY = boundarySql(Prisma.sql`grant_anchor_at`, Prisma.sql`grants_issued + 1`);

/** A plan that the catalog lacks yields null, which the ledger refuses. */
const CREDITS = Prisma.sql`CASE plan_key ${Prisma.join(
  PLANS.map((plan) => Prisma.sql`WHEN ${plan.planKey} THEN ${plan.creditsPerMonth}::int`),
  " ",
)} END`;

/**
 * Adds the lots of one boundary per subscription and moves those subscriptions on. Two subscriptions of
 * one user take turns, because one statement can change an account only once. A subscription whose user
 * has no account waits.
 *
 * `OFFSET 0` stops the planner from searching for these few among all due subscriptions. It would do so
 * if its statistics are older than the due dates.
 */
async function issueOneMonth(ids: string[], transaction: Transaction): Promise<Round> {
  const wanted = Prisma.sql`
    SELECT id, user_id, 'grant'::credit_transaction_type AS type, ${CREDITS} AS amount,
      format('subscription:%s:%s:%s', provider, provider_subscription_id,
        to_char(next_grant_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS source,
      least(${NEXT_BOUNDARY}, paid_until) AS expires_at,
      id::text AS reference, NULL::text AS description
    FROM due WHERE turn = 1`;
  const [round] = await transaction.$queryRaw<Round[]>`
    WITH due AS (
      SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY next_grant_at, id) AS turn
      FROM (SELECT * FROM subscriptions WHERE id = ANY (${ids}::uuid[]) OFFSET 0) AS given
      WHERE ${DUE}
    ),
    ${lotSteps(wanted)},
    advanced AS (
      UPDATE subscriptions subscription SET grants_issued = grants_issued + 1,
        next_grant_at = ${NEXT_BOUNDARY}, granted_until = least(${NEXT_BOUNDARY}, paid_until)
      FROM account WHERE subscription.id = account.id
      RETURNING subscription.id, subscription.user_id,
        granted_until <= statement_timestamp() AS over, ${DUE} AS due
    )
    SELECT (SELECT count(*) FROM lot)::int AS grants,
      (SELECT coalesce(sum(amount), 0) FROM lot)::int AS credits,
      (SELECT count(*) FROM advanced)::int AS advanced,
      ARRAY (SELECT id::text FROM advanced WHERE due) AS again,
      ARRAY (SELECT id::text FROM due EXCEPT SELECT id::text FROM account) AS waiting,
      (SELECT count(*) FROM account) < (SELECT count(*) FROM due WHERE turn = 1) AS "lacksAccounts",
      ARRAY (SELECT user_id::text FROM advanced WHERE over) AS overdue`;
  if (!round) throw new Error("an aggregate gave no row");
  return round;
}
