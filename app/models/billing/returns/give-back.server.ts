import type { Transaction } from "~/db.server";
import { addLot } from "~/models/credits/grants.server";

/**
 * Gives credits back that a return took and that are not wanted any more, as a lot of the order or the
 * period. Numbered by payment, since it can happen more than once.
 */
export async function giveBack(
  {
    provider,
    paymentId,
    ...lot
  }: {
    userId: string;
    amount: number;
    provider: string;
    paymentId: string;
    expiresAt: Date | null;
    /** Set if they were taken from a lot that a refund had revived. */
    revivedAt?: Date | null;
    /** The id of the order or the period. */
    reference: string;
  },
  transaction: Transaction,
): Promise<void> {
  const prefix = `adjustment:returned:${provider}:${paymentId}:`;
  const [given] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM credit_transactions
    WHERE user_id = ${lot.userId}::uuid AND starts_with(source, ${prefix})`;
  const source = `${prefix}${(given?.count ?? 0) + 1}`;
  const description = "Money came back";
  const added = await addLot({ ...lot, source, description, type: "adjustment" }, transaction);
  if (added.status !== "granted") throw new Error(`${source}: used before`);
}
