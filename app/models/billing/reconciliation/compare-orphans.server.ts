import { listOrphanPayments } from "~/models/billing/orphan-payments.server";
import { type Comparison, isWanted } from "~/models/billing/reconciliation/comparison.server";
import { type Difference, forOperator } from "~/models/billing/reconciliation/difference";
import { formatAmount } from "~/utils/money";

/** Payments that came after their account was deleted, until they have gone back. */
export async function listOrphans(comparison: Comparison): Promise<Difference[]> {
  const { db, records } = comparison;
  const provider = records.name;
  const orphans = await listOrphanPayments({ provider }, db);
  return orphans.flatMap(({ paymentId, userId, amount, currency, at }) => {
    if (!isWanted(comparison, userId)) return [];
    const paid = amount === null || currency === null ? "paid" : formatAmount({ amount, currency });
    const says = `${paid} on ${at.toISOString()} for an account that is deleted here, no credits`;
    return [
      forOperator({ provider, object: `payment ${paymentId}`, userId, says }, "refund it there"),
    ];
  });
}
