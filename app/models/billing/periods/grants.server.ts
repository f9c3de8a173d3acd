import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { findNextGrant, type NextGrant } from "~/models/billing/periods/next-grant";
import {
  groupPeriods,
  listPeriods,
  monthlyCredits,
  type StoredPeriod,
  storeCursors,
} from "~/models/billing/periods/periods.server";
import { ensureAccounts } from "~/models/credits/accounts.server";
import { bookLocked } from "~/models/credits/expiries.server";
import { freeSource } from "~/models/credits/free-source.server";
import { insertLots } from "~/models/credits/lots.server";
import { getTransactionBySource } from "~/models/credits/transactions.server";
import { IS_TOMBSTONE } from "~/models/tombstones.server";

/** Boundaries that one subscription catches up on per call. */
const MAX_CATCH_UP = 24;

/**
 * SQL condition: the subscription is due, a period pays for it, and its user's account wasn't deleted. The index `subscriptions_due_idx`
 * covers the first two conditions.
 */
export const DUE = Prisma.sql`
  status IN ('active', 'trialing') AND next_grant_at < paid_until
  AND next_grant_at <= statement_timestamp() AND grant_period_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND ${IS_TOMBSTONE})`;

export interface IssuedGrants {
  grants: number;
  credits: number;
  /** Number of subscriptions that were granted credits. */
  subscriptions: number;
  /** Ids of subscriptions that are still due because they are more than `MAX_CATCH_UP` boundaries behind. */
  stillDue: string[];
}

interface DueSubscription {
  id: string;
  userId: string;
  provider: string;
  providerSubscriptionId: string;
  /** The database's time. */
  now: Date;
}

/** A due subscription and how far its grants have come. */
interface Progress {
  subscription: DueSubscription;
  periods: StoredPeriod[];
  next: NextGrant | null;
  /** Months that this call has settled, and the credits that it granted for them. */
  months: number;
  credits: number;
}

/**
 * Issues the due monthly grants of these subscriptions, oldest boundary first, at most 24 each. An
 * earlier statement of the transaction must have locked them. The source names the boundary, so each is
 * granted once, whether the webhook, the daily job or a spend that falls short gets there first. A
 * grant that is already over is booked as expired at once.
 *
 * One month takes two statements, no matter how many subscriptions there are. The users' subscriptions take
 * turns, since an account can change but once per statement.
 */
export async function issueDueGrants(
  ids: string[],
  transaction: Transaction,
): Promise<IssuedGrants> {
  const issued: IssuedGrants = { grants: 0, credits: 0, subscriptions: 0, stillDue: [] };
  const due = await listDue(ids, transaction);
  if (due.length === 0) return issued;
  const all = await listProgress(due, transaction);
  const overdue = new Set<string>();
  for (let turn = takeTurns(all); turn.length > 0; turn = takeTurns(all)) {
    const lots = turn.filter(({ amount }) => amount > 0);
    await addLots(lots, transaction);
    await storeMonths(turn, transaction);
    issued.grants += lots.length;
    for (const { progress, lot, amount } of turn) {
      issued.credits += amount;
      progress.credits += amount;
      progress.months += 1;
      progress.next = findNextGrant(progress.periods, monthlyCredits);
      const { userId, now } = progress.subscription;
      if (lot.endsAt <= now) overdue.add(userId);
    }
  }
  issued.subscriptions = all.filter(({ credits }) => credits > 0).length;
  issued.stillDue = all.filter(isDue).map(({ subscription }) => subscription.id);
  await storeCursors(
    all.map(({ subscription, next }) => ({ id: subscription.id, next })),
    transaction,
  );
  if (overdue.size > 0) await bookLocked([...overdue], transaction);
  return issued;
}

async function listProgress(due: DueSubscription[], transaction: Transaction): Promise<Progress[]> {
  const ids = due.map(({ id }) => id);
  const groups = groupPeriods(await listPeriods(ids, transaction));
  return due.map((subscription) => {
    const periods = groups.get(subscription.id) ?? [];
    const next = findNextGrant(periods, monthlyCredits);
    return { subscription, periods, next, months: 0, credits: 0 };
  });
}

const isDue = ({ next, subscription }: Progress) =>
  next !== null && next.lot !== null && next.nextGrantAt <= subscription.now;

/**
 * `OFFSET 0` stops the planner from searching for these few among all due subscriptions. It would do so
 * if its statistics are older than the due dates.
 */
function listDue(ids: string[], transaction: Transaction): Promise<DueSubscription[]> {
  return transaction.$queryRaw`
    SELECT id, user_id AS "userId", provider, provider_subscription_id AS "providerSubscriptionId",
      statement_timestamp() AS now
    FROM (SELECT * FROM subscriptions WHERE id = ANY (${ids}::uuid[]) OFFSET 0) AS named
    WHERE ${DUE} ORDER BY next_grant_at, id`;
}

interface DueGrant {
  progress: Progress;
  lot: NonNullable<NextGrant["lot"]>;
  anchorAt: Date;
  /** Credits that are granted: what the parts give, less what went back of their payments. 0: there is no lot. */
  amount: number;
}

/** The next grant of each user who has one, of subscriptions that this call has not caught up enough. */
function takeTurns(all: Progress[]): DueGrant[] {
  const users = new Set<string>();
  return all.flatMap((progress) => {
    const { subscription, next, months } = progress;
    if (!next?.lot || !isDue(progress) || months >= MAX_CATCH_UP) return [];
    if (users.has(subscription.userId)) return [];
    users.add(subscription.userId);
    const { lot, anchorAt } = next;
    return [{ progress, lot, anchorAt, amount: amountOf(lot, subscription) }];
  });
}

/** Throws for a plan that the catalog has no more. A month whose payments went back is granted as 0 credits. */
function amountOf(lot: DueGrant["lot"], { id }: DueSubscription): number {
  let worth = 0;
  let amount = 0;
  for (const { credits, withheld } of lot.parts) {
    worth += credits;
    amount += credits - withheld;
  }
  if (worth > 0) return amount;
  throw new Error(
    `subscription ${id}: its month of ${lot.boundary.toISOString()} on the plan ${lot.period.planKey} is worth no credits`,
  );
}

function sourceOf({ progress, lot: { isUpgrade, boundary, period } }: DueGrant): string {
  const { provider, providerSubscriptionId } = progress.subscription;
  const month = `${provider}:${providerSubscriptionId}:${boundary.toISOString()}`;
  return isUpgrade ? `upgrade:${month}:${period.planKey}` : `subscription:${month}`;
}

/**
 * Adds the lots. Those that were not added get a second try: their user has no account yet, or another
 * payment's lot has used the source. Throws if that fails too: what isn't granted must not count as granted.
 */
async function addLots(grants: DueGrant[], transaction: Transaction): Promise<void> {
  if (grants.length === 0) return;
  const missing = await tryLots(grants, grants.map(sourceOf), transaction);
  if (missing.length === 0) return;
  await ensureAccounts(missing.map(userOf), transaction);
  const left = await tryLots(missing, await freeSources(missing, transaction), transaction);
  if (left.length > 0)
    throw new Error(`${left.length} of ${grants.length} months can't be granted`);
}

const userOf = ({ progress }: DueGrant) => progress.subscription.userId;

/** Returns the grants that were not added. */
async function tryLots(
  grants: DueGrant[],
  sources: string[],
  transaction: Transaction,
): Promise<DueGrant[]> {
  const added = await insertLots(
    Prisma.sql`
      SELECT user_id, 'grant'::credit_transaction_type AS type, amount, source, expires_at, reference,
        NULL::timestamptz AS revived_at, NULL::text AS description
      FROM unnest(
        ${grants.map(userOf)}::uuid[], ${grants.map(({ amount }) => amount)}::int[], ${sources}::text[],
        ${grants.map(({ lot }) => lot.endsAt.toISOString())}::timestamptz[],
        ${grants.map(({ lot }) => lot.period.id)}::text[]
      ) AS lot (user_id, amount, source, expires_at, reference)`,
    transaction,
  );
  if (added.length === grants.length) return [];
  const users = new Set(added.map(({ userId }) => userId));
  return grants.filter((grant) => !users.has(userOf(grant)));
}

/**
 * The sources of these grants. One that another payment's lot has used is used again with a number: that
 * payment went back, or was made again. Throws if this period has granted the month before.
 */
async function freeSources(grants: DueGrant[], transaction: Transaction): Promise<string[]> {
  const sources: string[] = [];
  for (const grant of grants) {
    const source = sourceOf(grant);
    const used = await getTransactionBySource(source, transaction);
    if (used && (used.reference === null || used.reference === grant.lot.period.id))
      throw new Error(`${source}: this month was granted before`);
    sources.push(used ? await freeSource(source, transaction) : source);
  }
  return sources;
}

/** Notes what each payment gave of its month, in the rows and in the progress. */
async function storeMonths(grants: DueGrant[], transaction: Transaction): Promise<void> {
  const rows: StoredPeriod[] = [];
  for (const { progress, lot, anchorAt } of grants) {
    const given = new Map([[lot.period.id, { credits: 0, withheld: 0 }]]);
    for (const { period, ...part } of lot.parts) given.set(period.id, part);
    for (const period of progress.periods) {
      const part = given.get(period.id);
      if (!part) continue;
      const startsAt = period.startsAt.getTime();
      const anchorOffset = anchorAt.getTime() - startsAt;
      if (period.anchorOffset === null || period === lot.period) period.anchorOffset = anchorOffset;
      period.grantedFor = lot.endsAt.getTime() - startsAt;
      period.grantedCredits = part.credits;
      period.creditsReversed = part.withheld;
      period.creditsShort = 0;
      rows.push(period);
    }
  }
  await transaction.$executeRaw`
    UPDATE subscription_periods paid SET anchor_offset = month.anchor_offset,
      granted_for = month.granted_for, granted_credits = month.credits,
      credits_reversed = month.reversed, credits_short = 0
    FROM unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.anchorOffset)}::bigint[],
      ${rows.map((row) => row.grantedFor)}::bigint[],
      ${rows.map((row) => row.grantedCredits)}::int[],
      ${rows.map((row) => row.creditsReversed)}::int[]
    ) AS month (id, anchor_offset, granted_for, credits, reversed)
    WHERE paid.id = month.id`;
}
