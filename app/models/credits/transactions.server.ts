import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
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

const CREDIT_TRANSACTION = Prisma.sql`
  id::text AS id, user_id AS "userId", type, amount, balance_after AS "balanceAfter", source,
  remaining, expires_at AS "expiresAt", reference, description, created_at AS "createdAt"`;

/** The row with this source, for any user; null if there is none. */
export async function getTransactionBySource(
  source: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreditTransaction | null> {
  const [row] = await db.$queryRaw<CreditTransaction[]>`
    SELECT ${CREDIT_TRANSACTION} FROM credit_transactions WHERE source = ${source}`;
  return row ?? null;
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
  const statement = Prisma.sql`
    SELECT ${CREDIT_TRANSACTION} FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND id < ${before}::bigint
    ORDER BY credit_transactions.id DESC LIMIT ${TRANSACTIONS_PER_PAGE + 1}`;
  const rows = await queryPrepared<CreditTransaction>("list_transactions", statement, db);
  const transactions = rows.slice(0, TRANSACTIONS_PER_PAGE);
  const nextCursor = rows.length > TRANSACTIONS_PER_PAGE ? (transactions.at(-1)?.id ?? null) : null;
  return { transactions, nextCursor };
}

/** The user's lots that still hold credits, in burn order. */
export async function listLots(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreditTransaction[]> {
  const statement = Prisma.sql`
    SELECT ${CREDIT_TRANSACTION} FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND remaining > 0
    ORDER BY expires_at NULLS LAST, credit_transactions.id`;
  return queryPrepared("list_lots", statement, db);
}

const LARGEST_BIGINT = "9223372036854775807";

/** At most eighteen digits: PostgreSQL raises an error above its largest bigint. */
function parseCursor(cursor: string | null): string {
  return cursor !== null && /^\d{1,18}$/.test(cursor) ? cursor : LARGEST_BIGINT;
}
