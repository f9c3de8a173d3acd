import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import {
  listPeriods,
  refreshGrants,
  type StoredPeriod,
} from "~/models/billing/periods/periods.server";
import { returnedCredits, returnedInAll } from "~/models/billing/periods/returned-share";
import { findPeriodOfPayment } from "~/models/billing/returns/period-payments.server";
import { freeSource } from "~/models/credits/free-source.server";
import { reverseLot } from "~/models/credits/reversals.server";
import type { Disputed, Refunded } from "~/services/payments/billing-event";

interface Return {
  provider: PaymentProviderName;
  event: Refunded | Disputed;
}

/** More than any lot holds. */
const ALL_CREDITS = 2 ** 31 - 1;

/**
 * Takes back what a subscription's payment gave, as far as the payment went back. A full refund or a
 * dispute closes its period: no further month, and what is left of the running lot is taken. A partial
 * refund lowers the running lot and every later month by its share. Counts the provider's cumulative
 * figures, so a lower one that arrives late changes nothing. False if no period has this payment.
 */
export async function returnPeriodPayment(
  { provider, event }: Return,
  transaction: Transaction,
): Promise<boolean> {
  const found = await findPeriodOfPayment({ provider, event }, transaction);
  if (!found) return false;
  const { subscriptionId, periodId, userId } = found;
  await transaction.$queryRaw`
    SELECT 1 AS locked FROM subscriptions WHERE id = ${subscriptionId}::uuid FOR UPDATE`;
  const periods = await listPeriods([subscriptionId], transaction);
  const before = periods.find(({ id }) => id === periodId);
  if (!before) throw new Error(`subscription_periods: ${periodId} is gone`);
  const after = countReturn(before, { provider, event });
  const closes = before.closedAt === null && isReturnedWhole(after);
  await takeBack({ userId, provider, before, after, closes }, transaction);
  await transaction.$executeRaw`
    UPDATE subscription_periods SET amount = ${after.amount}::bigint,
      currency = coalesce(currency, ${event.currency}),
      amount_refunded = ${after.amountRefunded}::bigint,
      amount_disputed = ${after.amountDisputed}::bigint,
      amount_returned = ${after.amountReturned}::bigint,
      closed_at = CASE WHEN ${closes} THEN statement_timestamp() ELSE closed_at END
    WHERE id = ${periodId}::uuid`;
  if (closes) await resumeEarlier(before, transaction);
  await refreshGrants([subscriptionId], transaction);
  return true;
}

type Figures = Pick<
  StoredPeriod,
  "amount" | "amountRefunded" | "amountDisputed" | "amountReturned"
>;

function countReturn(period: StoredPeriod, { provider, event }: Return): Figures {
  const { amountRefunded, amountDisputed } = period;
  const figures =
    event.kind === "refunded"
      ? { amountRefunded: Math.max(amountRefunded, event.amountRefunded), amountDisputed }
      : { amountDisputed: Math.max(amountDisputed, event.amount), amountRefunded };
  return {
    ...figures,
    // A return is a part of the charge, tax included.
    amount: event.chargedAmount ?? period.amount,
    amountReturned: returnedInAll(provider, figures),
  };
}

function isReturnedWhole({ amount, amountReturned, amountDisputed }: Figures): boolean {
  if (amountDisputed > 0) return true;
  if (amount === null) throw new Error("a refund doesn't say what was charged");
  return amountReturned > 0 && amountReturned >= amount;
}

async function takeBack(
  {
    userId,
    provider,
    before,
    after,
    closes,
  }: {
    userId: string;
    provider: PaymentProviderName;
    before: StoredPeriod;
    after: Figures;
    closes: boolean;
  },
  transaction: Transaction,
): Promise<void> {
  if (before.closedAt !== null) return;
  for (const lot of await listRunningLots({ userId, periodId: before.id }, transaction)) {
    const worth = before.grantedCredits ?? lot.amount;
    const share = returnedCredits(worth, after) - returnedCredits(worth, before);
    const due = closes ? ALL_CREDITS : share;
    if (due <= 0) continue;
    const payment = before.providerPaymentId ?? before.id;
    const source = `reversal:${provider}:${payment}:${after.amountReturned}`;
    await reverseLot(
      {
        userId,
        lotSource: lot.source,
        amount: due,
        source: await freeSource(source, transaction),
        reference: before.id,
      },
      transaction,
    );
  }
}

/** The lots of a period that can still be spent. */
function listRunningLots(
  { userId, periodId }: { userId: string; periodId: string },
  transaction: Transaction,
): Promise<{ source: string; amount: number }[]> {
  return transaction.$queryRaw`
    SELECT source, amount FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND reference = ${periodId} AND remaining > 0 AND expires_at > statement_timestamp()
    ORDER BY id`;
}

/**
 * The periods that the closed one had cut short count again, but for the time that it was granted for.
 */
async function resumeEarlier(
  { id, subscriptionId, startsAt, grantedFor }: StoredPeriod,
  transaction: Transaction,
): Promise<void> {
  if (grantedFor === null) return;
  const grantedUntil = new Date(startsAt.getTime() + grantedFor);
  await transaction.$executeRaw`
    UPDATE subscription_periods SET granted_for = greatest(granted_for, extract(
      epoch FROM least(${grantedUntil}::timestamptz, statement_timestamp()) - starts_at) * 1000)
    WHERE subscription_id = ${subscriptionId}::uuid AND id <> ${id}::uuid AND closed_at IS NULL
      AND starts_at <= ${startsAt}::timestamptz AND ends_at > ${startsAt}::timestamptz`;
}
