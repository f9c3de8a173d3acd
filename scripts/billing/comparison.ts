import type { Database } from "~/db.server";
import type { Prices } from "~/env/prices";
import type { BillingRecords } from "~/services/payments/billing-records.server";

/** Shared by all comparisons. */
export interface Comparison {
  db: Database;
  records: BillingRecords;
  /** The provider's prices or products. */
  prices: Prices;
  /** Compare only this user's objects; null for all users. */
  userId: string | null;
  since: Date;
  startedAt: Date;
}

/** Whether objects of `userId` are to be compared. */
export function isWanted({ userId: wanted }: Comparison, userId: string | null): boolean {
  return wanted === null || wanted === userId;
}

export async function hasUser({ db }: Comparison, userId: string): Promise<boolean> {
  return (await db.user.count({ where: { id: userId } })) === 1;
}

export const UNKNOWN_USER =
  "no user here has this id: if another installation shares the account, it belongs there; otherwise refund it";
