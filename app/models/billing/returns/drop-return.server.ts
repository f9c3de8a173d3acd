import { type DatabaseOrTransaction, getDb } from "~/db.server";

/**
 * Drops the kept returns of a payment that is none of this installation's: they are not listed and not
 * tried any more. If the payment comes all the same, they are applied to it. Returns how many: of two at once, one drops them.
 */
export async function dropReturns(
  { ids, reason }: { ids: string[]; reason: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const { count } = await db.paymentReturn.updateMany({
    where: { id: { in: ids }, orderId: null, periodId: null, droppedReason: null },
    data: { droppedReason: reason },
  });
  return count;
}
