import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import type { CreditTransactionType } from "~/generated/prisma/enums";

/** Fields every ledger entry carries. */
export interface CreditEntry {
  /** The business object that causes the entry, which can happen only once: `generation:<id>`. */
  source: string;
  /** A related id in another system, for people looking it up. */
  reference?: string;
  /** Shown to the user. */
  description?: string;
}

/** One ledger row. Amounts are in credits. */
export interface CreditTransaction {
  id: string;
  userId: string;
  type: CreditTransactionType;
  /** The change to the balance; negative when it took credits. */
  amount: number;
  balanceAfter: number;
  source: string;
  /** Credits left in a lot; null for other rows. */
  remaining: number | null;
  /** When a lot expires; null if it never does, and for rows that are not lots. */
  expiresAt: Date | null;
  reference: string | null;
  description: string | null;
  createdAt: Date;
}

/** The source was used before, by `transaction`. Nothing was changed. */
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

/** The row with this source, for any user; null if there is none. */
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
 * The user's rows, newest first, one page at a time. `cursor` is the id of the previous page's last
 * row; a malformed cursor starts from the top.
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

/** The user's lots that still hold credits, in burn order. */
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

/** At most eighteen digits, to stay below the largest bigint: PostgreSQL raises an error above it. */
function parseCursor(cursor: string | null): bigint | null {
  return cursor !== null && /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : null;
}
