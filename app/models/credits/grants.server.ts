import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { ensureAccount } from "~/models/credits/accounts.server";
import { requireCredits } from "~/models/credits/amount";
import { lotSteps } from "~/models/credits/lots.server";
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
  /** Set if these credits come from a lot that a refund had revived: then no refund revives this one. */
  revivedAt?: Date | null;
}

export type GrantResult = { status: "granted"; transactionId: string } | DuplicateSource;

/** Grants the user a lot of credits. A source that was used before grants nothing again. */
export async function grantCredits(
  lot: Lot,
  db: DatabaseOrTransaction = getDb(),
): Promise<GrantResult> {
  return addLot({ ...lot, type: "grant" }, db);
}

type NewLot = Lot & { type: "grant" | "adjustment" };

/** `grantCredits` for both lot types. Needs one round trip, unless it is the user's first lot or a duplicate. */
export async function addLot(lot: NewLot, db: DatabaseOrTransaction): Promise<GrantResult> {
  requireCredits(lot.amount);
  const added = await addToAccount(lot, db);
  if (added) return added;
  await ensureAccount(lot.userId, db);
  const first = await addToAccount(lot, db);
  if (!first) throw new Error("credit_transactions: a source is neither free nor used");
  return first;
}

/** Null if the user has no account yet. */
async function addToAccount(
  { userId, type, amount, source, expiresAt, revivedAt, reference, description }: NewLot,
  db: DatabaseOrTransaction,
): Promise<GrantResult | null> {
  const wanted = Prisma.sql`
    SELECT ${userId}::uuid AS user_id, ${type}::credit_transaction_type AS type,
      ${amount}::int AS amount, ${source}::text AS source, ${expiresAt}::timestamptz AS expires_at,
      ${revivedAt ?? null}::timestamptz AS revived_at,
      ${reference ?? null}::text AS reference, ${description ?? null}::text AS description`;
  const statement = Prisma.sql`
    WITH ${lotSteps(wanted)} SELECT id::text AS "transactionId" FROM lot`;
  const [added] = await queryPrepared<{ transactionId: string }>("add_lot", statement, db);
  if (added) return { status: "granted", ...added };
  const earlier = await getTransactionBySource(source, db);
  return earlier && { status: "duplicate", transaction: earlier };
}
