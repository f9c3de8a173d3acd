import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { grantedUntil, sortOpenPeriods } from "~/models/billing/periods/paid-periods";
import {
  listPeriods,
  monthlyCredits,
  type StoredPeriod,
} from "~/models/billing/periods/periods.server";
import { returnedCredits } from "~/models/billing/periods/returned-share";
import { insertLots } from "~/models/credits/lots.server";
import { addMonths } from "~/utils/add-months";

const DAY = 24 * 60 * 60 * 1000;
/** As with months: a later boundary is none, and a longer lot counts whole. */
const FEWEST_DAYS_BEFORE_END = 4;
const WHOLE_DAYS = 27;

/** An upgrade whose difference for a month is due. */
export interface DueUpgrade {
  id: string;
  userId: string;
  provider: string;
  providerSubscriptionId: string;
  grantPeriodId: string;
  /** Where the upgrade begins, or the next month of which the old plan's lot was granted already. */
  startsAt: Date;
  /** Where the old plan's last lot ends. */
  anchorAt: Date;
  /** Where the upgrade ends, if that is sooner. */
  paidUntil: Date;
}

/**
 * Issues what upgrades paid in the middle of a month are worth for the rest of it: the difference of
 * the two plans, by the share of the month that is left, rounded up. Once per month and plan, so that
 * changing back and forth gains nothing. One month per call: the invoice may be told of when further
 * months of the old plan were granted. The caller has locked the subscriptions, and derives their next
 * boundaries afterwards.
 */
export async function issueUpgrades(
  ids: string[],
  transaction: Transaction,
): Promise<{ grants: number; credits: number }> {
  const due = await transaction.$queryRaw<DueUpgrade[]>`
    SELECT id, user_id AS "userId", provider, provider_subscription_id AS "providerSubscriptionId",
      grant_period_id AS "grantPeriodId", next_grant_at AS "startsAt",
      grant_anchor_at AS "anchorAt", paid_until AS "paidUntil"
    FROM subscriptions WHERE id = ANY (${ids}::uuid[]) ORDER BY user_id, id`;
  const issued = { grants: 0, credits: 0 };
  for (const upgrade of due) {
    const credits = await issueUpgrade(upgrade, transaction);
    issued.grants += credits > 0 ? 1 : 0;
    issued.credits += credits;
  }
  return issued;
}

async function issueUpgrade(due: DueUpgrade, transaction: Transaction): Promise<number> {
  const periods = await listPeriods([due.id], transaction);
  const period = periods.find(({ id }) => id === due.grantPeriodId);
  if (!period) throw new Error(`subscription ${due.id}: its next grant lies in no period`);
  const { month, lotEnd, worth } = await valueUpgrade({ due, period, periods }, transaction);
  const credits = worth - returnedCredits(worth, period);
  await transaction.$executeRaw`
    UPDATE subscription_periods SET
      anchor_offset = ${due.anchorAt.getTime() - period.startsAt.getTime()}::bigint,
      granted_for = ${lotEnd.getTime() - period.startsAt.getTime()}::bigint,
      granted_credits = ${worth}
    WHERE id = ${period.id}::uuid`;
  if (!month || credits === 0) return 0;
  const lots = await insertLots(
    Prisma.sql`SELECT ${due.userId}::uuid AS user_id, 'grant'::credit_transaction_type AS type,
      ${credits}::int AS amount, ${sourcePrefix(due, month) + period.planKey} AS source,
      ${lotEnd}::timestamptz AS expires_at, ${period.id} AS reference, NULL::text AS description`,
    transaction,
  );
  return lots.length === 1 ? credits : 0;
}

/** Values an upgrade in credits for the month that runs when it begins; `lotEnd` is that month's end. */
export async function valueUpgrade(
  { due, period, periods }: { due: DueUpgrade; period: StoredPeriod; periods: StoredPeriod[] },
  transaction: Transaction,
): Promise<{ month: RunningMonth | undefined; lotEnd: Date; worth: number }> {
  const running = findRunning(periods, period, due.anchorAt);
  const month = running && monthAt(running, due);
  const lotEnd = earlier(month?.endsAt ?? due.anchorAt, due.paidUntil);
  const worth = month ? await differenceOf({ due, period, month, lotEnd }, transaction) : 0;
  return { month, lotEnd, worth };
}

/** The source of an upgrade's lot, without the plan at its end. */
function sourcePrefix(due: DueUpgrade, month: RunningMonth): string {
  const { provider, providerSubscriptionId } = due;
  return `upgrade:${provider}:${providerSubscriptionId}:${month.startsAt.toISOString()}:`;
}

/** The period whose lots the upgrade comes on top of. */
function findRunning(
  periods: StoredPeriod[],
  period: StoredPeriod,
  lotEnd: Date,
): StoredPeriod | undefined {
  return sortOpenPeriods(periods).findLast(
    (other) =>
      other.startsAt <= period.startsAt &&
      other.id !== period.id &&
      grantedUntil(other)?.getTime() === lotEnd.getTime(),
  );
}

/** A month of which the old plan's lot was granted. */
export interface RunningMonth {
  /** Its boundary. */
  startsAt: Date;
  /** Where its lot ends. */
  endsAt: Date;
  /** The next boundary: what a whole month of it is counted by. */
  nextAt: Date;
  planKey: string;
}

function monthAt(running: StoredPeriod, { startsAt, anchorAt }: DueUpgrade): RunningMonth {
  const anchor = new Date(running.startsAt.getTime() + (running.anchorOffset ?? 0));
  let months = 0;
  while (addMonths(anchor, months + 1) <= startsAt) months += 1;
  const nextAt = addMonths(anchor, months + 1);
  const isLast = nextAt.getTime() > anchorAt.getTime() - FEWEST_DAYS_BEFORE_END * DAY;
  return {
    startsAt: addMonths(anchor, months),
    endsAt: isLast ? anchorAt : nextAt,
    nextAt,
    planKey: running.planKey,
  };
}

/** The difference of the plans for the rest of the month, less what earlier upgrades gave of it. */
async function differenceOf(
  {
    due,
    period,
    month,
    lotEnd,
  }: { due: DueUpgrade; period: StoredPeriod; month: RunningMonth; lotEnd: Date },
  transaction: Transaction,
): Promise<number> {
  const prefix = sourcePrefix(due, month);
  const given = await transaction.$queryRaw<{ source: string }[]>`
    SELECT source FROM credit_transactions
    WHERE user_id = ${due.userId}::uuid AND starts_with(source, ${prefix})`;
  const plans = [month.planKey, ...given.map(({ source }) => source.slice(prefix.length))];
  const difference = monthlyCredits(period.planKey) - Math.max(...plans.map(monthlyCredits));
  if (difference <= 0) return 0;
  const left = lotEnd.getTime() - due.startsAt.getTime();
  const whole = month.nextAt.getTime() - month.startsAt.getTime();
  return left >= WHOLE_DAYS * DAY ? difference : Math.ceil((difference * left) / whole);
}

const earlier = (a: Date, b: Date) => (a < b ? a : b);
