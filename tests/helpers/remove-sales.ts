import type { Database } from "~/db.server";

/** Removes all that was sold, with the ledger, for the next random history. */
export async function removeSales(db: Database): Promise<void> {
  await db.paymentReturn.deleteMany({});
  await db.invoicePayment.deleteMany({});
  await db.subscriptionPeriod.deleteMany({});
  await db.subscription.deleteMany({});
  await db.order.deleteMany({});
  await db.$transaction([
    // The ledger's triggers let nobody delete rows.
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.creditAllocation.deleteMany({}),
    db.creditTransaction.deleteMany({}),
    db.creditAccount.deleteMany({}),
  ]);
}
