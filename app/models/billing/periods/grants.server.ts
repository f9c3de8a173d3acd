import { PLANS } from "~/catalog";
import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { refreshGrants } from "~/models/billing/periods/periods.server";
import { issueUpgrades } from "~/models/billing/periods/upgrade-grants.server";
import { bookLocked } from "~/models/credits/expiries.server";
import { lotSteps } from "~/models/credits/lots.server";

/** Boundaries that one subscription catches up on per call. */
const MAX_CATCH_UP = 24;

/**
 * SQL condition: the subscription is due, and a period pays for it. The index `subscriptions_due_idx`
 * covers the first two conditions.
 */
export const DUE = Prisma.sql`
  status IN ('active', 'trialing') AND next_grant_at < paid_until
  AND next_grant_at <= statement_timestamp() AND grant_period_id IS NOT NULL`;

/**
 * Boundary `k` of an anchor: so many months later in UTC, on the month's last day where it has no
 * such day. Always from the anchor, so that the 31st comes back after February.
 */
function boundarySql(anchor: Prisma.Sql, k: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${anchor} AT TIME ZONE 'UTC' + make_interval(months => ${k})) AT TIME ZONE 'UTC')`;
}

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
    // Subscriptions that wait now have a turn in one of the next rounds.
    if (open === ids)
      issued.subscriptions = round.advanced + round.waiting.length + round.upgrades.length;
    if (round.lacksAccounts) await ensureAccounts(round.waiting, transaction);
    for (const userId of round.overdue) overdue.add(userId);
    if (round.upgrades.length > 0) {
      const upgraded = await issueUpgrades(round.upgrades, transaction);
      issued.grants += upgraded.grants;
      issued.credits += upgraded.credits;
    }
    await refreshGrants([...round.exhausted, ...round.upgrades], transaction);
    const moved = [...round.again, ...round.exhausted, ...round.upgrades];
    for (const id of moved) months.set(id, (months.get(id) ?? 0) + 1);
    const isCaughtUp = (id: string) => (months.get(id) ?? 0) < MAX_CATCH_UP;
    issued.stillDue.push(...round.again.filter((id) => !isCaughtUp(id)));
    if (
      moved.length === 0 &&
      round.advanced === 0 &&
      !round.lacksAccounts &&
      round.waiting.length > 0
    )
      throw new Error(`subscription ${round.waiting[0]}: its next month can't be granted`);
    open = [...moved.filter(isCaughtUp), ...round.waiting];
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
  /** Ids of those whose period was granted whole, and which have one that reaches further. */
  exhausted: string[];
  /** Ids of those whose next grant is an upgrade's difference. */
  upgrades: string[];
  /** Ids of those whose user has another one that came first, or has no account yet. */
  waiting: string[];
  /** Whether any of the waiting ids lack an account. */
  lacksAccounts: boolean;
  /** Ids of users whose new grant is already over. */
  overdue: string[];
}

/** A plan that the catalog does not have gives no amount, which the ledger refuses. */
const MONTHLY_CREDITS = Prisma.sql`CASE paid.plan_key ${Prisma.join(
  PLANS.map((plan) => Prisma.sql`WHEN ${plan.planKey} THEN ${plan.creditsPerMonth}::int`),
  " ",
)} END`;

/** The boundary that is `months` after a due subscription's anchor. */
const boundary = (months: string) => boundarySql(Prisma.sql`grant_anchor_at`, Prisma.raw(months));

/**
 * The lots of one boundary each, and the subscriptions and periods moved on by it. A user's two
 * subscriptions take turns, since an account can change but once per statement. One without an
 * account waits.
 *
 * A lot ends at the next boundary or with the period, whichever is first. A boundary less than four
 * days after the lot's start, or before the period's end, is none: providers bill on the 28th what
 * began on the 31st. A lot shorter than 27 days has its share of the month's credits, rounded up. Less
 * what was returned of the payment.
 *
 * `OFFSET 0` stops the planner from searching for these few among all due subscriptions. It would do so
 * if its statistics are older than the due dates.
 */
async function issueOneMonth(ids: string[], transaction: Transaction): Promise<Round> {
  const wanted = Prisma.sql`
    SELECT *, 'grant'::credit_transaction_type AS type,
      worth - CASE WHEN paid_amount > 0
        THEN floor(worth * least(amount_returned, paid_amount) / paid_amount::numeric)::int
        ELSE 0 END AS amount,
      format('subscription:%s:%s:%s', provider, provider_subscription_id,
        to_char(next_grant_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS source,
      grant_period_id::text AS reference, NULL::text AS description
    FROM (
      SELECT *, CASE WHEN expires_at - next_grant_at >= interval '27 days' THEN credits
        ELSE ceil(credits * extract(epoch FROM expires_at - next_grant_at)
          / extract(epoch FROM month_end - month_start)) END::int AS worth
      FROM (
        SELECT *, CASE WHEN month_end > paid_until - interval '4 days' THEN paid_until
          ELSE month_end END AS expires_at
        FROM (
          SELECT *, ${boundary("months - 1")} AS month_start, ${boundary("months")} AS month_end
          FROM (
            SELECT due.*, paid.starts_at, paid.amount AS paid_amount, paid.amount_returned,
              ${MONTHLY_CREDITS} AS credits, grants_issued
                + (${boundary("grants_issued")} < next_grant_at + interval '4 days')::int AS months
            FROM due JOIN subscription_periods paid ON paid.id = due.grant_period_id
            WHERE turn = 1
          ) AS counted
        ) AS month
      ) AS lot_of_month
    ) AS lot_in_credits`;
  const [round] = await transaction.$queryRaw<Round[]>`
    WITH given AS (
      SELECT * FROM (SELECT * FROM subscriptions WHERE id = ANY (${ids}::uuid[]) OFFSET 0) AS named
      WHERE ${DUE}
    ),
    due AS (
      SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY next_grant_at, id) AS turn
      FROM given WHERE next_grant_at >= grant_anchor_at
    ),
    ${lotSteps(wanted)},
    walked AS (
      UPDATE subscription_periods paid SET
        anchor_offset = extract(epoch FROM account.grant_anchor_at - account.starts_at) * 1000,
        granted_for = extract(epoch FROM account.expires_at - account.starts_at) * 1000,
        granted_credits = account.worth
      FROM account WHERE paid.id = account.grant_period_id
    ),
    advanced AS (
      UPDATE subscriptions subscription SET grants_issued = account.months,
        next_grant_at = account.expires_at,
        grant_period_id = CASE WHEN account.expires_at < subscription.paid_until
          THEN subscription.grant_period_id END
      FROM account WHERE subscription.id = account.id
      RETURNING subscription.id, subscription.user_id, subscription.paid_until,
        subscription.next_grant_at,
        subscription.next_grant_at <= statement_timestamp() AS over
    )
    SELECT (SELECT count(*) FROM lot)::int AS grants,
      (SELECT coalesce(sum(amount), 0) FROM lot)::int AS credits,
      (SELECT count(*) FROM advanced)::int AS advanced,
      ARRAY (SELECT id::text FROM advanced WHERE over AND next_grant_at < paid_until) AS again,
      ARRAY (SELECT id::text FROM advanced WHERE next_grant_at >= paid_until AND EXISTS (
        SELECT 1 FROM subscription_periods other
        WHERE other.subscription_id = advanced.id AND other.closed_at IS NULL
          AND other.ends_at > advanced.paid_until
      )) AS exhausted,
      ARRAY (SELECT id::text FROM given WHERE next_grant_at < grant_anchor_at) AS upgrades,
      ARRAY (SELECT id::text FROM due EXCEPT SELECT id::text FROM account) AS waiting,
      (SELECT count(*) FROM account) < (SELECT count(*) FROM due WHERE turn = 1) AS "lacksAccounts",
      ARRAY (SELECT user_id::text FROM advanced WHERE over) AS overdue`;
  if (!round) throw new Error("an aggregate gave no row");
  return round;
}
