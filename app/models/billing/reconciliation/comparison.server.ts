import type { Database } from "~/db.server";
import type { Prices } from "~/env/prices";
import { isOfOtherSite } from "~/models/billing/customers/installation.server";
import type { BillingMetadata } from "~/services/payments/billing-metadata";
import type { BillingRecords } from "~/services/payments/billing-records.server";

/** Shared by all comparisons. */
export interface Comparison {
  db: Database;
  records: BillingRecords;
  /** The provider's prices or products. */
  prices: Prices;
  /** This installation's host: objects of others that share the account are left alone. */
  site: string;
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
  "no user here has this id: restore the user, or refund and cancel it there";

/** Whether a checkout of another installation made it, for a user who is not here. */
export async function isForeign(
  comparison: Comparison,
  metadata: BillingMetadata | null,
): Promise<boolean> {
  if (!metadata || !isOfOtherSite(metadata, comparison.site)) return false;
  return !(await hasUser(comparison, metadata.userId));
}
