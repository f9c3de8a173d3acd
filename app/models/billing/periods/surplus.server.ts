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
}

/**
 * Takes back what the running month of a period was given above what was paid for, as far as it is there. Spent
 * credits stay given: an upgrade's difference counts from there.
 */
export async function takeSurplus(
  { subscriptionId, periodId, worth, from }: Surplus,
  transaction: Transaction,
): Promise<void> {
  const periods = await listPeriods([subscriptionId], transaction);
  const period = periods.find(({ id }) => id === periodId);
  if (!period) throw new Error(`subscription_periods: ${periodId} is gone`);
  const month = monthOf(period, periods);
  if (!month || period.grantedCredits === null) return;
  const surplus = period.grantedCredits - creditsFrom(from ?? month.startsAt, month, worth);
  if (surplus <= 0) return;
  // Returns that took of the month have taken of the surplus first.
  const away = Math.min(surplus, period.creditsReversed);
  const source = `reversal:${period.provider}:${period.providerPaymentId ?? periodId}:surplus`;
  const due = { subscriptionId, periodId, amount: surplus - away, source };
  const taken = due.amount > 0 ? await takeFromMonth(due, transaction) : 0;
  await transaction.subscriptionPeriod.updateMany({
    where: { id: periodId },
    data: { grantedCredits: { decrement: away + taken }, creditsReversed: { decrement: away } },
  });
}

/** Takes from the running lots of a period, as far as it is there. Returns the credits taken. */
async function takeFromMonth(
  due: Pick<Surplus, "subscriptionId" | "periodId"> & {
    amount: number;
    source: string;
  },
  transaction: Transaction,
): Promise<number> {
  const { subscriptionId, periodId, amount } = due;
  const { userId } = await transaction.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { userId: true },
  });
  const source = await freeSource(due.source, transaction);
  const lots = { references: [periodId], running: true };
  const sale = { userId, lots, amount, source, reference: periodId };
  return reverseLots(sale, transaction);
}

/** The last month that a period gave; null if it gave none. */
function monthOf(period: StoredPeriod, periods: readonly StoredPeriod[]): Month | null {
  const lotEnd = grantedUntil(period);
  const anchor = monthAnchor(sortPeriods(periods), period);
  return lotEnd && monthAround(anchor, new Date(lotEnd.getTime() - 1), lotEnd);
}
