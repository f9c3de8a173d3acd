import type { Transaction } from "~/db.server";
import { creditsFrom, type Month, monthAround } from "~/models/billing/periods/months";
import { grantedUntil, monthAnchor, sortPeriods } from "~/models/billing/periods/paid-periods";
import { listPeriods, type StoredPeriod } from "~/models/billing/periods/periods.server";
import { freeSource } from "~/models/credits/free-source.server";
import { reverseLots } from "~/models/credits/reversals.server";

interface Surplus {
  subscriptionId: string;
  periodId: string;
  /** The credits of a whole month that was paid for. */
  worth: number;
  /** When that month begins, if not with the period's month. */
  from?: Date;
  /** The plan was ended at once; otherwise less was paid than the month was granted for. */
  isEnded?: boolean;
  /** Other periods that may have given the month's lot together with this one. */
  shared?: readonly string[];
}

/**
 * Takes back what the running month of a period was given above what was paid for, as far as it is there, and returns
 * the credits taken. Spent credits stay given: an upgrade's difference counts from there.
 */
export async function takeSurplus(
  { subscriptionId, periodId, worth, from, isEnded = false, shared = [] }: Surplus,
  transaction: Transaction,
): Promise<number> {
  const periods = await listPeriods([subscriptionId], transaction);
  const period = periods.find(({ id }) => id === periodId);
  if (!period) throw new Error(`subscription_periods: ${periodId} is gone`);
  const month = monthOf(period, periods);
  if (!month || period.grantedCredits === null) return 0;
  const surplus = period.grantedCredits - creditsFrom(from ?? month.startsAt, month, worth);
  if (surplus <= 0) return 0;
  // Returns that took of the month have taken of the surplus first.
  const away = Math.min(surplus, period.creditsReversed);
  const payment = `${period.provider}:${period.providerPaymentId ?? periodId}`;
  const source = `reversal:${payment}:surplus${isEnded ? ":ended" : ""}`;
  const due = { subscriptionId, periodId, amount: surplus - away, source, shared };
  const taken = due.amount > 0 ? await takeFromMonth(due, transaction) : 0;
  await transaction.subscriptionPeriod.updateMany({
    where: { id: periodId },
    data: { grantedCredits: { decrement: away + taken }, creditsReversed: { decrement: away } },
  });
  return taken;
}

/**
 * Takes back what is left of the running month of a subscription that has ended, of all payments that gave of it, trials
 * included. Returns the credits taken: 0 if nothing is left. The caller has locked the subscription.
 */
export async function takeRunningMonth(
  subscriptionId: string,
  transaction: Transaction,
): Promise<number> {
  const periods = await listPeriods([subscriptionId], transaction);
  const [clock] = await transaction.$queryRaw<{ now: Date }[]>`
    SELECT statement_timestamp() AS now`;
  const now = clock?.now ?? new Date();
  const running = periods.filter((period) => (grantedUntil(period) ?? now) > now);
  let taken = 0;
  for (const { id: periodId } of running) {
    const shared = running.map(({ id }) => id).filter((id) => id !== periodId);
    const whole = { subscriptionId, periodId, worth: 0, isEnded: true, shared };
    taken += await takeSurplus(whole, transaction);
  }
  return taken;
}

/** Takes from the running lots of a period, as far as it is there. Returns the credits taken. */
async function takeFromMonth(
  due: Pick<Surplus, "subscriptionId" | "periodId"> & {
    amount: number;
    source: string;
    shared: readonly string[];
  },
  transaction: Transaction,
): Promise<number> {
  const { subscriptionId, periodId, amount, shared } = due;
  const { userId } = await transaction.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { userId: true },
  });
  const source = await freeSource(due.source, transaction);
  const lots = { references: [periodId], shared, running: true };
  const sale = { userId, lots, amount, source, reference: periodId };
  return reverseLots(sale, transaction);
}

/** The last month that a period gave; null if it gave none. */
function monthOf(period: StoredPeriod, periods: readonly StoredPeriod[]): Month | null {
  const lotEnd = grantedUntil(period);
  const anchor = monthAnchor(sortPeriods(periods), period);
  return lotEnd && monthAround(anchor, new Date(lotEnd.getTime() - 1), lotEnd);
}
