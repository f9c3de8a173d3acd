import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { CauseParts } from "~/models/credits/cause";
import { CAUSE, CAUSE_JOINS } from "~/models/credits/causes.server";
import { CREDIT_TRANSACTION, type CreditTransaction } from "~/models/credits/transactions.server";

/** A row of the ledger with what caused it, and how it moved the lots. */
export interface StoryRow extends CreditTransaction, CauseParts {
  /** The lots it took from or gave to, in credits; none for a row that is itself a lot. */
  lots: { id: string; amount: number }[];
}

/** SQL: these rows of the ledger as a story. `rows` and the result are in the order of `order`. */
export const storyOf = (rows: Prisma.Sql, order: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT ${CREDIT_TRANSACTION}, ${CAUSE}, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', lot_id::text, 'amount', moved.amount) ORDER BY lot_id), '[]')
    FROM credit_allocations moved WHERE transaction_id = row.id) AS lots
  FROM (${rows}) AS row ${CAUSE_JOINS} ORDER BY ${order}`;

export const TRANSACTIONS_PER_PAGE = 50;

export interface PageOfStory {
  transactions: StoryRow[];
  nextCursor: string | null;
}

interface Wanted {
  userId: string;
  /** The id of the previous page's last row; a malformed one starts from the top. */
  cursor: string | null;
}

/** SQL: a page of the user's rows, newest first, and one more if there is one. */
export function newestTransactions({ userId, cursor }: Wanted): Prisma.Sql {
  const newest = Prisma.sql`
    SELECT * FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND id < ${parseCursor(cursor)}::bigint
    ORDER BY id DESC LIMIT ${TRANSACTIONS_PER_PAGE + 1}`;
  return storyOf(newest, Prisma.sql`row.id DESC`);
}

/** Makes a page of what `newestTransactions` selects. */
export function pageOfStory(rows: StoryRow[]): PageOfStory {
  const transactions = rows.slice(0, TRANSACTIONS_PER_PAGE);
  const nextCursor = rows.length > TRANSACTIONS_PER_PAGE ? (transactions.at(-1)?.id ?? null) : null;
  return { transactions, nextCursor };
}

/** The user's rows, newest first, one page at a time. */
export async function listTransactions(
  wanted: Wanted,
  db: DatabaseOrTransaction = getDb(),
): Promise<PageOfStory> {
  return pageOfStory(
    await queryPrepared<StoryRow>("list_transactions", newestTransactions(wanted), db),
  );
}

const LARGEST_BIGINT = "9223372036854775807";

/** At most eighteen digits: PostgreSQL raises an error above its largest bigint. */
function parseCursor(cursor: string | null): string {
  return cursor !== null && /^\d{1,18}$/.test(cursor) ? cursor : LARGEST_BIGINT;
}

const ROWS_AT_ONCE = 500;

/**
 * The user's account as a story in the order of time: each row up to the id `until`, read a page at a time while they
 * are used. Consistent only within one snapshot.
 */
export async function* readStory(
  { userId, until = LARGEST_BIGINT }: { userId: string; until?: string },
  db: DatabaseOrTransaction = getDb(),
): AsyncGenerator<StoryRow> {
  for (let after = "0"; ; ) {
    const oldest = Prisma.sql`
      SELECT * FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND id > ${after}::bigint AND id <= ${until}::bigint
      ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
    const rows = await queryPrepared<StoryRow>(
      "read_story",
      storyOf(oldest, Prisma.sql`row.id`),
      db,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return;
    after = last.id;
  }
}
