import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import type { CreditTransactionType } from "~/generated/prisma/enums";

/** What whoever moves credits says about it. */
export interface CreditEntry {
  /** The business object that causes it, which can do so once: `generation:<id>`. */
  source: string;
  /** An id elsewhere, for people who look for it. */
  reference?: string;
  /** Shown to the user. */
  description?: string;
}

/** One row of the ledger. Amounts are in credits. */
export interface CreditTransaction {
  id: string;
  userId: string;
  type: CreditTransactionType;
  /** What it added to the balance; below zero when it took. */
  amount: number;
  balanceAfter: number;
  source: string;
  /** What is left of a lot; null for a row that is none. */
  remaining: number | null;
  /** Until when a lot can be spent; null for one that never expires, and for a row that is no lot. */
  expiresAt: Date | null;
  reference: string | null;
  description: string | null;
  createdAt: Date;
}

/** The source was used before, by `transaction`; nothing was changed. */
export interface DuplicateSource {
  status: "duplicate";
  transaction: CreditTransaction;
}

const CREDIT_TRANSACTION = {
  id: true,
  userId: true,
  type: true,
  amount: true,
  balanceAfter: true,
  source: true,
  remaining: true,
  expiresAt: true,
  reference: true,
  description: true,
  createdAt: true,
} satisfies Prisma.CreditTransactionSelect;

const toCreditTransaction = (
  row: Omit<CreditTransaction, "id"> & { id: bigint },
): CreditTransaction => ({ ...row, id: String(row.id) });

/** The row that a source made, whoever's it is; null where it made none. */
export async function getTransactionBySource(
  source: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreditTransaction | null> {
  const row = await db.creditTransaction.findUnique({
    where: { source },
    select: CREDIT_TRANSACTION,
  });
  return row && toCreditTransaction(row);
}

export const TRANSACTIONS_PER_PAGE = 50;

/**
 * The user's rows, newest first, one page at a time. `cursor` is the id of the last row of the page
 * before; what cannot be an id starts from the top.
 */
export async function listTransactions(
  { userId, cursor }: { userId: string; cursor: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ transactions: CreditTransaction[]; nextCursor: string | null }> {
  const before = parseCursor(cursor);
  const rows = await db.creditTransaction.findMany({
    where: { userId, ...(before === null ? {} : { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: TRANSACTIONS_PER_PAGE + 1,
    select: CREDIT_TRANSACTION,
  });
  const transactions = rows.slice(0, TRANSACTIONS_PER_PAGE).map(toCreditTransaction);
  const nextCursor = rows.length > TRANSACTIONS_PER_PAGE ? (transactions.at(-1)?.id ?? null) : null;
  return { transactions, nextCursor };
}

/** The user's lots that hold something, in the order in which they are spent. */
export async function listLots(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreditTransaction[]> {
  const rows = await db.creditTransaction.findMany({
    where: { userId, remaining: { gt: 0 } },
    orderBy: [{ expiresAt: { sort: "asc", nulls: "last" } }, { id: "asc" }],
    select: CREDIT_TRANSACTION,
  });
  return rows.map(toCreditTransaction);
}

/** Eighteen digits are below the largest bigint, which PostgreSQL would answer with an error. */
function parseCursor(cursor: string | null): bigint | null {
  return cursor !== null && /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : null;
}
