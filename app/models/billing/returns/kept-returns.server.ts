import { type Database, getDb, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { findReturned } from "~/models/billing/returns/find-returned.server";
import { isShareKnown, matchPeriod } from "~/models/billing/returns/match-period.server";
import { idsOf, type Returned } from "~/models/billing/returns/return-log.server";
import { lockReturned, settleReturned } from "~/models/billing/returns/returns.server";
import type { PaymentReturned, ReturnKind, ReturnState } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/** The names by which a return may know a payment that has come. */
export interface ArrivedPayment {
  provider: PaymentProviderName;
  /** Stripe: payment intents and the invoice. Creem: the transaction and the order. */
  paymentIds: readonly string[];
}

interface StoredReturn {
  id: string;
  provider: PaymentProviderName;
  event: PaymentReturned;
  orderId: string | null;
  periodId: string | null;
}

/**
 * Applies the returns that name a payment which has now come: kept ones, and ones that were matched by
 * guess to another. One that can't be applied stays as it is and is logged: it must not keep the payment
 * out.
 */
export async function applyReturnsOf(
  { provider, paymentIds }: ArrivedPayment,
  transaction: Transaction,
): Promise<void> {
  if (paymentIds.length === 0) return;
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment_returns
    WHERE provider = ${provider} AND (provider_payment_id = ANY (${paymentIds}::text[])
      OR provider_order_id = ANY (${paymentIds}::text[])
      OR provider_invoice_id = ANY (${paymentIds}::text[]))
    ORDER BY heard_at, id`;
  for (const { id } of rows) await tryReturn(id, { guess: false }, transaction);
}

/**
 * Tries kept returns again, those first that were not tried for the longest time, and returns how many
 * found their payment. A return and its payment that arrive at the same time don't see each other. With
 * `guess`, a period may be found by customer, amount and time.
 */
export async function matchKeptReturns(
  {
    limit,
    guess = false,
    userId = null,
  }: { limit: number; guess?: boolean; userId?: string | null },
  db: Database = getDb(),
): Promise<number> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment_returns WHERE order_id IS NULL AND period_id IS NULL AND dropped_reason IS NULL
    ORDER BY tried_at NULLS FIRST, heard_at LIMIT ${limit}`;
  let matched = 0;
  for (const { id } of rows) {
    if (await db.$transaction((transaction) => tryReturn(id, { guess, userId }, transaction)))
      matched += 1;
    else await db.$executeRaw`UPDATE payment_returns SET tried_at = now() WHERE id = ${id}::uuid`;
  }
  return matched;
}

/** Whether the return has a payment now that it didn't have before. A failure is undone and logged. */
async function tryReturn(
  id: string,
  { guess, userId = null }: { guess: boolean; userId?: string | null },
  transaction: Transaction,
): Promise<boolean> {
  try {
    return await transaction.$transaction(async (attempt) => {
      const stored = await readReturn(id, attempt);
      if (!stored) return false;
      const { provider, event } = stored;
      const { payment, currency } = event;
      const found = await findReturned({ provider, payment, currency, guess }, attempt);
      if (!found || (userId !== null && found.userId !== userId)) return false;
      if (isOf(found, stored)) {
        // Its order may have been paid only now.
        await settleReturned(await lockReturned(found, attempt), attempt);
        return false;
      }
      const earlier = await ownerOf(stored, attempt);
      // Both before anything is settled, which locks the credit account.
      if (earlier) await lockReturned(earlier, attempt);
      const returned = await lockReturned(found, attempt);
      if (!(await isShareKnown({ provider, event, returned }, attempt))) return false;
      const { orderId, periodId } = idsOf(returned);
      await attempt.$executeRaw`
        UPDATE payment_returns SET order_id = ${orderId}::uuid, period_id = ${periodId}::uuid,
          dropped_reason = NULL
        WHERE id = ${id}::uuid`;
      await matchPeriod({ event, returned }, attempt);
      await settleReturned(returned, attempt);
      if (earlier) await settleReturned(earlier, attempt);
      return true;
    });
  } catch (error) {
    log().error({ err: error, returnId: id }, "a kept return could not be applied");
    return false;
  }
}

function isOf(found: Returned, stored: StoredReturn): boolean {
  const { orderId, periodId } = idsOf(found);
  return orderId === stored.orderId && periodId === stored.periodId;
}

/** What a return was matched to by guess, before its payment came. */
async function ownerOf(
  { periodId }: StoredReturn,
  transaction: Transaction,
): Promise<Returned | null> {
  if (!periodId) return null;
  const { subscription } = await transaction.subscriptionPeriod.findUniqueOrThrow({
    where: { id: periodId },
    select: { subscription: { select: { id: true, userId: true } } },
  });
  const { id, userId } = subscription;
  return { of: "period", periodId, subscriptionId: id, userId };
}

async function readReturn(id: string, transaction: Transaction): Promise<StoredReturn | null> {
  const row = await transaction.paymentReturn.findUnique({ where: { id } });
  if (!row) return null;
  const { providerPaymentId: paymentId, providerOrderId, providerInvoiceId, skuKey } = row;
  const metadata = skuKey && { userId: "", site: null, skuKey, planKey: null, period: null };
  return {
    id,
    provider: row.provider as PaymentProviderName,
    orderId: row.orderId,
    periodId: row.periodId,
    event: {
      kind: "returned",
      of: row.kind as ReturnKind,
      returnId: row.providerReturnId,
      state: row.state as ReturnState,
      amount: Number(row.amount),
      currency: row.currency,
      occurredAt: row.providerAt,
      payment: {
        paymentId,
        orderId: providerOrderId,
        invoiceId: providerInvoiceId,
        checkoutId: row.providerCheckoutId,
        providerSubscriptionId: row.providerSubscriptionId,
        customerId: row.providerCustomerId,
        paidAt: row.paidAt,
        chargedAmount: row.chargedAmount === null ? null : Number(row.chargedAmount),
        metadata: metadata || null,
      },
    },
  };
}
