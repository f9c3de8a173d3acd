import { type Database, getDb, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import {
  type ArrivedPayment,
  dropReturn,
  keepReturn,
  lockReturn,
  lockReturnsFor,
} from "~/models/billing/returns/kept-returns.server";
import { returnOrderPayment } from "~/models/billing/returns/order-reversals.server";
import { returnPeriodPayment } from "~/models/billing/returns/period-returns.server";
import type { Disputed, Refunded } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

interface Return {
  provider: PaymentProviderName;
  event: Refunded | Disputed;
}

/**
 * Applies a refund or a dispute to the order or the paid period whose payment goes back. Throws if it
 * is one of our checkouts whose order is still to come. Any other that matches nothing is kept until
 * its payment comes, and logged as an error: somebody may hold credits that were paid back.
 */
export async function applyReturn(
  { provider, event }: Return,
  transaction: Transaction,
): Promise<void> {
  if (await settleReturn({ provider, event }, transaction)) return;
  const { paymentId, checkoutId, customerId, metadata } = event;
  if (metadata?.skuKey) throw new Error(`no order yet for payment ${paymentId ?? checkoutId}`);
  const isKept = await keepReturn({ provider, event }, transaction);
  log().error(
    { provider, paymentId, customerId, subscriptionId: event.providerSubscriptionId },
    isKept
      ? `a payment was ${event.kind} that is unknown here: kept until it comes, see npm run billing -- reconcile`
      : `a payment was ${event.kind} that the event doesn't name: look it up at the provider`,
  );
}

async function settleReturn(settled: Return, transaction: Transaction): Promise<boolean> {
  return (
    (await returnOrderPayment(settled, transaction)) ||
    (await returnPeriodPayment(settled, transaction))
  );
}

/** Applies what was kept for a payment that has now come. */
export async function applyKeptReturns(
  payment: ArrivedPayment,
  transaction: Transaction,
): Promise<void> {
  for (const kept of await lockReturnsFor(payment, transaction)) {
    if (await settleReturn(kept, transaction)) await dropReturn(kept, transaction);
  }
}

/**
 * Tries kept returns again, the oldest first, and returns how many found their payment. A return and
 * its payment that arrive at the same time don't see each other.
 */
export async function matchKeptReturns(
  { limit }: { limit: number },
  db: Database = getDb(),
): Promise<number> {
  const rows = await db.paymentReturn.findMany({
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: limit,
    select: { id: true },
  });
  let matched = 0;
  for (const { id } of rows) {
    matched += await db.$transaction(async (transaction) => {
      const kept = await lockReturn(id, transaction);
      if (!kept || !(await settleReturn(kept, transaction))) return 0;
      await dropReturn(kept, transaction);
      return 1;
    });
  }
  return matched;
}
