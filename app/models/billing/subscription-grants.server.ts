import { PLANS } from "~/catalog";
import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { boundarySql } from "~/models/billing/subscription-periods.server";
import { bookLocked } from "~/models/credits/expiries.server";
import { lotSteps } from "~/models/credits/lots.server";

/** Boundaries of one subscription that are caught up at a time. */
const MAX_CATCH_UP = 24;

/** What makes a subscription due. The index `subscriptions_due_idx` is on the first two. */
export const DUE = Prisma.sql`
  status IN ('active', 'trialing') AND next_grant_at < paid_until
  AND next_grant_at <= statement_timestamp()`;

export interface IssuedGrants {
  grants: number;
  credits: number;
  /** Subscriptions that got any. */
  subscriptions: number;
  /** Ids of those that are due even so: further behind than is caught up at a time. */
  stillDue: string[];
}

/**
 * Issues the monthly grants that are due to these subscriptions, which an earlier statement of the
 * transaction has locked: oldest boundary first, 24 at most each. The source names the boundary, so
 * that each is granted once, whoever comes first: the webhook, the daily job, or a spend that falls
 * short. What was caught up and is over already is booked as expired at once.
 *
 * One month is two statements, however many subscriptions there are, and those name only the few that
 * something is left to do for: a run over many spends its time in PostgreSQL, not between us and it.
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
    // Whoever waits now has a turn in one of the next rounds.
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
 * In the order in which accounts are locked, too. Only the first grant of a user finds none, and so it
 * is asked for when it was missed: what is locked by then is other users', and of these nobody else
 * holds an account yet.
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
  /** Subscriptions that were moved on by a boundary. */
  advanced: number;
  /** Ids of those of them that are due again. */
  again: string[];
  /** Ids of those whose user has another one that came first, or has no account yet. */
  waiting: string[];
  /** Whether there are any of the latter. */
  lacksAccounts: boolean;
  /** Ids of users whose grant is over already. */
  overdue: string[];
}

const NEXT_BOUNDARY = boundarySql(Prisma.sql`grant_anchor_at`, Prisma.sql`grants_issued + 1`);

/** A plan that the catalog does not have gives no amount, which the ledger refuses. */
const CREDITS = Prisma.sql`CASE plan_key ${Prisma.join(
  PLANS.map((plan) => Prisma.sql`WHEN ${plan.planKey} THEN ${plan.creditsPerMonth}::int`),
  " ",
)} END`;

/**
 * The lots of one boundary each, and the subscriptions moved on by it. A user's two subscriptions take
 * turns, since an account can change but once a statement. One without an account waits.
 *
 * `OFFSET 0` keeps the planner from looking for these few among all that are due: it would, where the
 * statistics are from before they came due.
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
