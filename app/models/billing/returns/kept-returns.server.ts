import { type Database, getDb, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { findReturned } from "~/models/billing/returns/find-returned.server";
import { isShareKnown } from "~/models/billing/returns/match-period.server";
import { idsOf, type Returned } from "~/models/billing/returns/return-log.server";
import { lockOwners, moveReturns, settleReturned } from "~/models/billing/returns/returns.server";
import type { PaymentReturned, ReturnKind, ReturnState } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";
import { isTransactionConflict } from "~/utils/transaction-conflict";

/** The names by which a return may know a payment that has come. */
export interface ArrivedPayment {
  provider: PaymentProviderName;
  /** Stripe: payment intents and the invoice. Creem: the transaction and the order. */
  paymentIds: readonly string[];
}

/** Writes that a kept return was applied, in the transaction that applied it. */
export type RecordApplied = (
  applied: { returnId: string; userId: string },
  transaction: Transaction,
) => Promise<void>;

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
  const named = { in: [...paymentIds] };
  const rows = await transaction.paymentReturn.findMany({
    where: {
      provider,
      OR: [{ providerPaymentId: named }, { providerOrderId: named }, { providerInvoiceId: named }],
    },
    select: { id: true },
    orderBy: [{ heardAt: "asc" }, { id: "asc" }],
  });
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
    returnId = null,
    record,
  }: {
    limit: number;
    guess?: boolean;
    /** Only returns whose payment turns out to be this person's. */
    userId?: string | null;
    /** Only this return. */
    returnId?: string | null;
    record?: RecordApplied;
  },
  db: Database = getDb(),
): Promise<number> {
  const rows = await db.paymentReturn.findMany({
    where: {
      orderId: null,
      periodId: null,
      droppedReason: null,
      ...(returnId ? { id: returnId } : {}),
    },
    select: { id: true },
    orderBy: [{ triedAt: { sort: "asc", nulls: "first" } }, { heardAt: "asc" }],
    take: limit,
  });
  let matched = 0;
  for (const { id } of rows) {
    if (await tryAlone(id, { guess, userId, record }, db)) matched += 1;
    else await db.$executeRaw`UPDATE payment_returns SET tried_at = now() WHERE id = ${id}::uuid`;
  }
  return matched;
}

/** Tries a kept return in a transaction of its own. After a conflict the next run tries it again. */
async function tryAlone(
  id: string,
  options: { guess: boolean; userId: string | null; record: RecordApplied | undefined },
  db: Database,
): Promise<boolean> {
  try {
    return await db.$transaction((transaction) => tryReturn(id, options, transaction));
  } catch (error) {
    if (!isTransactionConflict(error)) throw error;
    log().warn({ err: error, returnId: id }, "a kept return waits for another transaction");
    return false;
  }
}

/**
 * Whether the return has its payment now. A failure is undone and logged. Throws if another transaction is
 * in the way: the caller's delivery is retried then, which finds the return once more.
 */
async function tryReturn(
  id: string,
  {
    guess,
    userId = null,
    record,
  }: { guess: boolean; userId?: string | null; record?: RecordApplied | undefined },
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
      const { paymentId } = payment;
      const earlier = await lockOwners({ provider, paymentId, returned: found }, attempt);
      if (isOf(found, stored) && earlier.length === 0) {
        // Its order may have been paid only now.
        await settleReturned(found, attempt);
        return true;
      }
      if (!(await isShareKnown({ provider, event, returned: found }, attempt))) return false;
      await moveReturns({ provider, event, returned: found, earlier }, attempt);
      await record?.({ returnId: id, userId: found.userId }, attempt);
      return true;
    });
  } catch (error) {
    if (isTransactionConflict(error)) throw error;
    log().error({ err: error, returnId: id }, "a kept return could not be applied");
    return false;
  }
}

function isOf(found: Returned, stored: StoredReturn): boolean {
  const { orderId, periodId } = idsOf(found);
  return orderId === stored.orderId && periodId === stored.periodId;
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
