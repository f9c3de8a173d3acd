import type { Transaction } from "~/db.server";
import { monthAround } from "~/models/billing/periods/months";
import { findNextGrant } from "~/models/billing/periods/next-grant";
import {
  anchorOf,
  findRepeated,
  grantedUntil,
  sortPeriods,
} from "~/models/billing/periods/paid-periods";
import {
  listPeriods,
  monthlyCredits,
  type StoredPeriod,
  storeCursors,
} from "~/models/billing/periods/periods.server";
import { giveBack } from "~/models/billing/returns/give-back.server";
import { planSettlement, type Settlement } from "~/models/billing/returns/month-settlement.server";
import { listTaken } from "~/models/billing/returns/taken-lots.server";
import { isAll, portionOf } from "~/models/billing/shares/share";
import { freeSource } from "~/models/credits/free-source.server";
import { reverseLots } from "~/models/credits/reversals.server";

/**
 * Brings the periods of a subscription to the shares of their payments that are not away: closes and
 * opens them, takes credits of the running month from the lots of their payments or gives them back, and
 * derives where the grants go on. Months that are over are settled. Of a subscription that was ended at once, it takes
 * all that its running month holds. Nothing changes if it is done again. The caller has locked the subscription.
 */
export async function settleSubscription(
  subscriptionId: string,
  transaction: Transaction,
): Promise<void> {
  const [owner] = await transaction.$queryRaw<{ userId: string; now: Date }[]>`
    SELECT user_id AS "userId", statement_timestamp() AS now FROM subscriptions
    WHERE id = ${subscriptionId}::uuid`;
  if (!owner) throw new Error(`subscriptions: ${subscriptionId} is gone`);
  const known = await listPeriods([subscriptionId], transaction);
  const periods = openAndClose(known, owner.now);
  // Credits are given back first: they pay the debt of another payment of the same lot.
  const settlements = planSettlement(periods, owner.now);
  const takes = ({ due }: Settlement) => Number(due > 0);
  for (const settlement of settlements.toSorted((a, b) => takes(a) - takes(b))) {
    const at = periods.findIndex(({ id }) => id === settlement.period.id);
    periods[at] = await moveCredits({ ...owner, settlement }, transaction);
  }
  for (const [at, period] of periods.entries())
    if (period !== known[at]) await storePeriod(period, transaction);
  const next = findNextGrant(periods, monthlyCredits);
  await storeCursors([{ id: subscriptionId, next }], transaction);
}

/** The periods as their shares leave them. An earlier one that counts again goes on where the closed one ended. */
function openAndClose(known: readonly StoredPeriod[], now: Date): StoredPeriod[] {
  const periods = known.map((period) => {
    const amountReturned = portionOf(period.amount ?? 0, period.share);
    const closes = isAll(period.share);
    if (amountReturned === period.amountReturned && closes === (period.closedAt !== null))
      return period;
    return { ...period, amountReturned, closedAt: closes ? (period.closedAt ?? now) : null };
  });
  const closed = periods.filter((period, at) => period.closedAt && !known[at]?.closedAt);
  const sorted = sortPeriods(periods);
  return periods.map((period) => {
    // A payment for the same again has yet to give the credits that the first one left missing.
    if (period.grantedFor === null && findRepeated(sorted, period)) return period;
    const resumesAt = closed
      .filter((other) => begins(other, period))
      .flatMap((other) => monthEndedBy(other, now) ?? []);
    const grantedFor = Math.max(
      period.grantedFor ?? Number.NEGATIVE_INFINITY,
      ...resumesAt.map((at) => at.getTime() - period.startsAt.getTime()),
    );
    return grantedFor > (period.grantedFor ?? Number.NEGATIVE_INFINITY)
      ? { ...period, grantedFor, grantedCredits: 0, creditsReversed: 0, creditsShort: 0 }
      : period;
  });
}

/** Whether a closed period began inside an open one, and had ended it. */
function begins(closed: StoredPeriod, open: StoredPeriod): boolean {
  return (
    open.closedAt === null &&
    open.kind !== "trial" &&
    open.startsAt <= closed.startsAt &&
    open.endsAt > closed.startsAt
  );
}

/**
 * Where the grants of a closed period end: before its running month, whose credits are taken back, or
 * with its last month if that is over. Null if it gave none.
 */
function monthEndedBy(closed: StoredPeriod, now: Date): Date | null {
  const lotEnd = grantedUntil(closed);
  if (!lotEnd || lotEnd <= now) return lotEnd;
  return monthAround(anchorOf(closed), new Date(lotEnd.getTime() - 1), lotEnd).startsAt;
}

async function moveCredits(
  { userId, settlement }: { userId: string; settlement: Settlement },
  transaction: Transaction,
): Promise<StoredPeriod> {
  const { period, due, wanted, shared, isTakenBack } = settlement;
  const { provider, creditsReversed } = period;
  const paymentId = period.providerPaymentId ?? period.id;
  let change = 0;
  if (due < 0) {
    const lot = { userId, reference: period.id, provider, paymentId };
    const taken = await listTaken({ userId, settlement }, transaction);
    for (const part of taken) await giveBack({ ...lot, ...part }, transaction);
    change = due;
  } else if (due > 0) {
    const cause = isTakenBack ? "surplus:ended" : period.amountReturned;
    const source = `reversal:${provider}:${paymentId}:${cause}`;
    change = await reverseLots(
      {
        userId,
        lots: { references: [period.id], shared, running: true, unrevived: isTakenBack },
        amount: due,
        source: await freeSource(source, transaction),
        reference: period.id,
      },
      transaction,
    );
  }
  const reversed = creditsReversed + change;
  if (isTakenBack) {
    // It has given what was spent of it, and owes that: a refund brings some of it back.
    const spent = Math.max(0, wanted - reversed);
    return { ...period, grantedCredits: spent, creditsReversed: 0, creditsShort: spent };
  }
  return { ...period, creditsReversed: reversed, creditsShort: Math.max(0, wanted - reversed) };
}

async function storePeriod(period: StoredPeriod, transaction: Transaction): Promise<void> {
  const { id, amountReturned, closedAt, grantedFor, grantedCredits } = period;
  const { creditsReversed, creditsShort } = period;
  await transaction.subscriptionPeriod.updateMany({
    where: { id },
    data: { amountReturned, closedAt, grantedFor, grantedCredits, creditsReversed, creditsShort },
  });
}
