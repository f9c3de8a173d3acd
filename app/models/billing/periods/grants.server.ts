import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { findNextGrant, type NextGrant } from "~/models/billing/periods/next-grant";
import {
  listPeriods,
  monthlyCredits,
  type StoredPeriod,
  storeCursors,
} from "~/models/billing/periods/periods.server";
import { portionOf } from "~/models/billing/shares/share";
import { ensureAccounts } from "~/models/credits/accounts.server";
import { bookLocked } from "~/models/credits/expiries.server";
import { freeSource } from "~/models/credits/free-source.server";
import { insertLots } from "~/models/credits/lots.server";
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

/**
 * Issues the due monthly grants of these subscriptions, oldest boundary first, at most 24 each. An
 * earlier statement of the transaction must have locked them. The source names the boundary, so each is
 * granted once, whether the webhook, the daily job or a spend that falls short gets there first. A
 * grant that is already over is booked as expired at once.
 *
 * One month takes four statements, no matter how many subscriptions there are. The users' subscriptions take
 * turns, since an account can change but once per statement.
 */
export async function issueDueGrants(
  ids: string[],
  transaction: Transaction,
): Promise<IssuedGrants> {
  const issued: IssuedGrants = { grants: 0, credits: 0, subscriptions: 0, stillDue: [] };
  const due = await listDue(ids, transaction);
  if (due.length === 0) return issued;
  await ensureAccounts(
    due.map(({ userId }) => userId),
    transaction,
  );
  let periods = await listPeriods(
    due.map(({ id }) => id),
    transaction,
  );
  const months = new Map<string, number>();
  const overdue = new Set<string>();
  for (let open = due; open.length > 0; ) {
    const grants = listGrants(open, periods);
    const turn = takeTurns(grants);
    if (turn.length === 0) break;
    await addLots(turn, transaction);
    for (const { subscription, lot, amount } of turn) {
      issued.grants += 1;
      issued.credits += amount;
      months.set(subscription.id, (months.get(subscription.id) ?? 0) + 1);
      if (lot.endsAt <= subscription.now) overdue.add(subscription.userId);
    }
    periods = await storeMonths(turn, periods, transaction);
    const isBehind = ({ id }: DueSubscription) => (months.get(id) ?? 0) >= MAX_CATCH_UP;
    open = listGrants(open, periods).map(({ subscription }) => subscription);
    issued.stillDue.push(...open.filter(isBehind).map(({ id }) => id));
    open = open.filter((subscription) => !isBehind(subscription));
  }
  issued.subscriptions = months.size;
  await storeCursors(
    due.map(({ id }) => id),
    periods,
    transaction,
  );
  if (overdue.size > 0) await bookLocked([...overdue], transaction);
  return issued;
}

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
  subscription: DueSubscription;
  lot: NonNullable<NextGrant["lot"]>;
  anchorAt: Date;
  /** Credits that are granted: what the parts give, less what went back of their payments. */
  amount: number;
}

/** The next grants of those subscriptions that are still due. */
function listGrants(open: DueSubscription[], periods: StoredPeriod[]): DueGrant[] {
  const bySubscription = new Map<string, StoredPeriod[]>();
  for (const period of periods) {
    const { subscriptionId } = period;
    bySubscription.set(subscriptionId, [...(bySubscription.get(subscriptionId) ?? []), period]);
  }
  return open.flatMap((subscription) => {
    const next = findNextGrant(bySubscription.get(subscription.id) ?? [], monthlyCredits);
    if (!next?.lot || next.nextGrantAt > subscription.now) return [];
    const { lot, anchorAt } = next;
    const amount = lot.parts.reduce(
      (total, { period, credits }) => total + credits - portionOf(credits, period.share),
      0,
    );
    if (amount <= 0)
      throw new Error(
        `subscription ${subscription.id}: its month of ${lot.boundary.toISOString()} on the plan ${lot.period.planKey} is worth no credits`,
      );
    return [{ subscription, lot, anchorAt, amount }];
  });
}

/** The first grant of each user. */
function takeTurns(grants: DueGrant[]): DueGrant[] {
  const users = new Set<string>();
  return grants.filter(({ subscription: { userId } }) => {
    const isFirst = !users.has(userId);
    users.add(userId);
    return isFirst;
  });
}

function sourceOf({ subscription, lot: { isUpgrade, boundary, period } }: DueGrant): string {
  const { provider, providerSubscriptionId } = subscription;
  const month = `${provider}:${providerSubscriptionId}:${boundary.toISOString()}`;
  return isUpgrade ? `upgrade:${month}:${period.planKey}` : `subscription:${month}`;
}

/** Throws if a lot can't be added: what isn't granted must not count as granted. */
async function addLots(grants: DueGrant[], transaction: Transaction): Promise<void> {
  const sources = await freeSources(grants, transaction);
  const added = await insertLots(
    Prisma.sql`
      SELECT user_id, 'grant'::credit_transaction_type AS type, amount, source, expires_at, reference,
        NULL::text AS description
      FROM unnest(
        ${grants.map(({ subscription }) => subscription.userId)}::uuid[],
        ${grants.map(({ amount }) => amount)}::int[], ${sources}::text[],
        ${grants.map(({ lot }) => lot.endsAt.toISOString())}::timestamptz[],
        ${grants.map(({ lot }) => lot.period.id)}::text[]
      ) AS lot (user_id, amount, source, expires_at, reference)`,
    transaction,
  );
  if (added.length !== grants.length)
    throw new Error(`${grants.length - added.length} of ${grants.length} months can't be granted`);
}

/**
 * The sources of these grants. One that another payment's lot has used is used again with a number: that
 * payment went back, or was made again. Throws if this period has granted the month before.
 */
async function freeSources(grants: DueGrant[], transaction: Transaction): Promise<string[]> {
  const wanted = grants.map(sourceOf);
  const used = await transaction.$queryRaw<{ source: string; reference: string | null }[]>`
    SELECT source, reference FROM credit_transactions
    WHERE source = ANY (${wanted}::text[])`;
  if (used.length === 0) return wanted;
  const references = new Map(used.map(({ source, reference }) => [source, reference]));
  const free: string[] = [];
  for (const [at, grant] of grants.entries()) {
    const source = wanted[at] ?? "";
    const reference = references.get(source);
    if (reference === grant.lot.period.id || reference === null)
      throw new Error(`${source}: this month was granted before`);
    free.push(reference === undefined ? source : await freeSource(source, transaction));
  }
  return free;
}

/** Notes what each payment gave of its month. Returns the periods as they are stored now. */
async function storeMonths(
  grants: DueGrant[],
  periods: StoredPeriod[],
  transaction: Transaction,
): Promise<StoredPeriod[]> {
  const changed = new Map<string, StoredPeriod>();
  for (const { lot, anchorAt } of grants) {
    for (const { period, credits } of [{ period: lot.period, credits: 0 }, ...lot.parts]) {
      const stored = periods.find(({ id }) => id === period.id);
      if (!stored) throw new Error(`subscription_periods: ${period.id} is gone`);
      const startsAt = stored.startsAt.getTime();
      changed.set(stored.id, {
        ...stored,
        anchorOffset:
          stored === lot.period
            ? anchorAt.getTime() - startsAt
            : (stored.anchorOffset ?? anchorAt.getTime() - startsAt),
        grantedFor: lot.endsAt.getTime() - startsAt,
        grantedCredits: credits,
        creditsReversed: portionOf(credits, stored.share),
        creditsShort: 0,
      });
    }
  }
  const rows = [...changed.values()];
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
  return periods.map((period) => changed.get(period.id) ?? period);
}
