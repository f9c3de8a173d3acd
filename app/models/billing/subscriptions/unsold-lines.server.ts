import type { DatabaseOrTransaction, Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { InvoicePaid, UnsoldLine } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/** Days for which the preflight names new unsold lines. */
export const NEW_UNSOLD_DAYS = 30;

/**
 * Keeps the lines of a paid invoice that the catalog doesn't sell, for the operator: they begin, extend and
 * end nothing. A line that is known already changes nothing.
 */
export async function keepUnsoldLines(
  {
    provider,
    event: { invoiceId, providerSubscriptionId },
    lines,
  }: {
    provider: PaymentProviderName;
    event: Pick<InvoicePaid, "invoiceId" | "providerSubscriptionId">;
    lines: readonly UnsoldLine[];
  },
  transaction: Transaction,
): Promise<void> {
  if (lines.length === 0) return;
  const invoice = invoiceId ?? providerSubscriptionId;
  const { count } = await transaction.unsoldLine.createMany({
    data: lines.map(({ lineId, priceId, ...line }) => ({
      ...line,
      ...{ provider, invoice, line: lineId, price: priceId },
      subscription: providerSubscriptionId,
    })),
    skipDuplicates: true,
  });
  if (count === 0) return;
  const prices = lines.map(({ priceId }) => priceId);
  log().warn(
    { provider, invoice, prices },
    "a paid invoice has lines that the catalog doesn't sell",
  );
}

/** All of them, newest first. */
export function listUnsoldLines(db: DatabaseOrTransaction) {
  return db.unsoldLine.findMany({
    orderBy: [{ heardAt: "desc" }, { invoice: "asc" }, { line: "asc" }],
  });
}

/** How many came in the last 30 days. */
export function countNewUnsoldLines(db: DatabaseOrTransaction): Promise<number> {
  const since = new Date(Date.now() - NEW_UNSOLD_DAYS * 24 * 60 * 60 * 1000);
  return db.unsoldLine.count({ where: { heardAt: { gte: since } } });
}
