import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Disputed, Refunded } from "~/services/payments/billing-event";

interface KeptReturn {
  id: string;
  provider: PaymentProviderName;
  event: Refunded | Disputed;
}

/** The names by which a kept return may know a payment that has come. */
export interface ArrivedPayment {
  provider: PaymentProviderName;
  paymentId: string | null;
  transactionId?: string | null;
  subscriptionId?: string;
  customerId?: string | null;
}

/**
 * Keeps a return whose payment nobody here knows. Of several for one payment the highest cumulative
 * figure stays. False if the event doesn't name the payment, which then can't be found later either.
 */
export async function keepReturn(
  { provider, event }: Omit<KeptReturn, "id">,
  transaction: Transaction,
): Promise<boolean> {
  const paymentId = event.paymentId ?? event.transactionId;
  if (!paymentId) return false;
  const amount = event.kind === "refunded" ? event.amountRefunded : event.amount;
  await transaction.$executeRaw`
    INSERT INTO payment_returns AS kept (provider, kind, provider_payment_id,
      provider_transaction_id, provider_checkout_id, provider_subscription_id,
      provider_customer_id, dispute_id, amount, charged_amount, currency, paid_at)
    VALUES (${provider}, ${event.kind}, ${paymentId}, ${event.transactionId}, ${event.checkoutId},
      ${event.providerSubscriptionId}, ${event.customerId},
      ${event.kind === "disputed" ? event.disputeId : null}, ${amount}::bigint,
      ${event.chargedAmount}::bigint, ${event.currency}, ${event.paidAt}::timestamptz)
    ON CONFLICT (provider, provider_payment_id, kind) DO UPDATE
      SET amount = greatest(kept.amount, excluded.amount)`;
  return true;
}

/**
 * Locks the returns that may belong to a payment. Skips those that maintenance is looking at, which
 * then finds the payment at its next run.
 */
export async function lockReturnsFor(
  { provider, paymentId, transactionId, subscriptionId, customerId }: ArrivedPayment,
  transaction: Transaction,
): Promise<KeptReturn[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment_returns
    WHERE provider = ${provider} AND (provider_payment_id = ${paymentId}
      OR provider_transaction_id = ${transactionId ?? null}
      OR provider_subscription_id = ${subscriptionId ?? null}
      OR provider_customer_id = ${customerId ?? null})
    ORDER BY created_at, id FOR UPDATE SKIP LOCKED`;
  return readReturns(rows, transaction);
}

/** Locks one kept return; null if it was matched meanwhile or somebody else holds it. */
export async function lockReturn(id: string, transaction: Transaction): Promise<KeptReturn | null> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment_returns WHERE id = ${id}::uuid FOR UPDATE SKIP LOCKED`;
  const [kept] = await readReturns(rows, transaction);
  return kept ?? null;
}

export async function dropReturn({ id }: KeptReturn, transaction: Transaction): Promise<void> {
  await transaction.paymentReturn.delete({ where: { id }, select: { id: true } });
}

async function readReturns(
  locked: { id: string }[],
  transaction: Transaction,
): Promise<KeptReturn[]> {
  if (locked.length === 0) return [];
  const rows = await transaction.paymentReturn.findMany({
    where: { id: { in: locked.map(({ id }) => id) } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => {
    const facts = {
      paymentId: row.providerPaymentId,
      transactionId: row.providerTransactionId,
      checkoutId: row.providerCheckoutId,
      providerSubscriptionId: row.providerSubscriptionId,
      customerId: row.providerCustomerId,
      paidAt: row.paidAt,
      chargedAmount: row.chargedAmount === null ? null : Number(row.chargedAmount),
      currency: row.currency,
      metadata: null,
    };
    const amount = Number(row.amount);
    const event =
      row.kind === "disputed"
        ? { kind: "disputed" as const, ...facts, disputeId: row.disputeId ?? row.id, amount }
        : { kind: "refunded" as const, ...facts, amountRefunded: amount };
    return { id: row.id, provider: row.provider as PaymentProviderName, event };
  });
}
