import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { PaymentReturned } from "~/services/payments/billing-event";

/** How the id begins of a return that an operator closed before the provider named it. */
const CLOSED = "closed:";

/** An id for what an operator closes of a payment's figure, next to the ids in use. */
export function newClosedId(
  paymentId: string,
  rows: readonly { providerReturnId: string | null }[],
): string {
  const numbers = rows
    .filter(({ providerReturnId }) => providerReturnId?.startsWith(CLOSED))
    .map(({ providerReturnId }) => Number(providerReturnId?.split(":").at(-1)));
  return `${CLOSED}${paymentId}:${Math.max(0, ...numbers) + 1}`;
}

/**
 * Gives a refund or dispute that is told by its id the row by which an operator closed it before, with its
 * final state: otherwise it would be away once more. One that was made after the command is another one.
 */
export async function takeOverClosed(
  { provider, event }: { provider: PaymentProviderName; event: PaymentReturned },
  transaction: Transaction,
): Promise<void> {
  const { returnId, payment, amount, currency, occurredAt } = event;
  if (returnId === null) return;
  const [closed] = await transaction.$queryRaw<{ id: string; isMore: boolean }[]>`
    SELECT id, currency = ${currency} AND amount > ${amount}::bigint AS "isMore"
    FROM payment_returns
    WHERE provider = ${provider} AND provider_payment_id = ${payment.paymentId}
      AND kind = ${event.of} AND starts_with(provider_return_id, ${CLOSED})
      AND (${occurredAt}::timestamptz IS NULL OR heard_at >= ${occurredAt}::timestamptz)
      AND NOT EXISTS (
        SELECT 1 FROM payment_returns told
        WHERE told.provider = ${provider} AND told.provider_return_id = ${returnId}
      )
    ORDER BY amount <> ${amount}::bigint, heard_at, id LIMIT 1 FOR UPDATE`;
  if (!closed) return;
  if (!closed.isMore) {
    await transaction.paymentReturn.updateMany({
      where: { id: closed.id },
      data: { providerReturnId: returnId },
    });
    return;
  }
  // The figure held several: the others find the rest under the id that it has.
  await transaction.$executeRaw`
    WITH rest AS (
      UPDATE payment_returns SET amount = amount - ${amount}::bigint WHERE id = ${closed.id}::uuid
      RETURNING *
    )
    INSERT INTO payment_returns (provider, provider_return_id, kind, provider_payment_id, state,
      amount, charged_amount, currency, order_id, period_id)
    SELECT provider, ${returnId}, kind, provider_payment_id, state, ${amount}::bigint,
      charged_amount, currency, order_id, period_id
    FROM rest`;
}
