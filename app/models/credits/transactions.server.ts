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

/** SQL: the columns of a `CreditTransaction` from the ledger's row `row`. */
export const CREDIT_TRANSACTION = Prisma.sql`
  row.id::text AS id, row.user_id AS "userId", row.type, row.amount, row.balance_after AS "balanceAfter",
  row.source, row.remaining, row.expires_at AS "expiresAt", row.reference, row.description,
  row.created_at AS "createdAt"`;

/** The row with this source, for any user; null if there is none. */
export async function getTransactionBySource(
  source: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreditTransaction | null> {
  const [row] = await db.$queryRaw<CreditTransaction[]>`
    SELECT ${CREDIT_TRANSACTION} FROM credit_transactions row WHERE source = ${source}`;
  return row ?? null;
}

/** The user's lots that still hold credits, in burn order. */
export async function listLots(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreditTransaction[]> {
  const statement = Prisma.sql`
    SELECT ${CREDIT_TRANSACTION} FROM credit_transactions row
    WHERE user_id = ${userId}::uuid AND remaining > 0
    ORDER BY row.expires_at NULLS LAST, row.id`;
  return queryPrepared("list_lots", statement, db);
}
