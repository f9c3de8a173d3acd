import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { ensureAccount } from "~/models/credits/accounts.server";
import { requireCredits } from "~/models/credits/amount";
import { insertLots } from "~/models/credits/lots.server";
import {
  type CreditEntry,
  type DuplicateSource,
  getTransactionBySource,
} from "~/models/credits/transactions.server";

interface Lot extends CreditEntry {
  userId: string;
  /** Credits, from 1. */
  amount: number;
  /**
   * Spendable before this time; null if it never expires. A lot with a past time is booked as expired
   * as usual.
   */
  expiresAt: Date | null;
}

export type GrantResult = { status: "granted"; transactionId: string } | DuplicateSource;

/** Grants the user a lot of credits. A source that was used before grants nothing again. */
export async function grantCredits(
  lot: Lot,
  db: DatabaseOrTransaction = getDb(),
): Promise<GrantResult> {
  return addLot({ ...lot, type: "grant" }, db);
}

/** `grantCredits` for both lot types. */
export async function addLot(
  {
    userId,
    type,
    amount,
    source,
    expiresAt,
    reference,
    description,
  }: Lot & { type: "grant" | "adjustment" },
  db: DatabaseOrTransaction,
): Promise<GrantResult> {
  requireCredits(amount);
  await ensureAccount(userId, db);
  const wanted = Prisma.sql`
    SELECT ${userId}::uuid AS user_id, ${type}::credit_transaction_type AS type,
      ${amount}::int AS amount, ${source} AS source, ${expiresAt}::timestamptz AS expires_at,
      ${reference ?? null} AS reference, ${description ?? null} AS description`;
  const [added] = await insertLots(wanted, db);
  if (added) return { status: "granted", transactionId: added.transactionId };
  const earlier = await getTransactionBySource(source, db);
  if (!earlier) throw new Error("credit_transactions: a source is neither free nor used");
  return { status: "duplicate", transaction: earlier };
}
