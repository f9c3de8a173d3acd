import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { Lot } from "~/models/credits/lot";
import { heldLots } from "~/models/credits/lot-uses.server";
import {
  newestTransactions,
  type PageOfStory,
  pageOfStory,
  type StoryRow,
} from "~/models/credits/story.server";

/** An account as its owner sees it at one moment. */
interface AccountView extends PageOfStory {
  /** Credits that can be spent. */
  balance: number;
  /** The credits that expire next; null if none do. */
  expiring: { amount: number; at: Date } | null;
  /** The lots that hold spendable credits, at most fifty; null on a later page. */
  lots: Lot[] | null;
}

/** A row within JSON, where times are text. */
type AsJson<Row> = Omit<Row, "createdAt" | "expiresAt"> & {
  createdAt: string;
  expiresAt: string | null;
};

interface StoredView {
  credits: { balance: number; amount: number | null; at: string | null };
  lots: AsJson<Lot>[] | null;
  rows: AsJson<StoryRow>[];
}

/**
 * SQL: the credits that the user can spend as `balance`, and `amount` and `at` of those that expire next. The account's
 * own balance still counts a lot that is over until its expiry is booked; such lots are left out here.
 */
const creditsOf = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT coalesce(sum(remaining), 0)::int AS balance, min(expires_at) AS at,
    (sum(remaining) FILTER (WHERE expires_at = first))::int AS amount
  FROM (
    SELECT remaining, expires_at, min(expires_at) OVER () AS first FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND remaining > 0
      AND (expires_at > statement_timestamp()) IS NOT FALSE
  ) AS lots`;

/**
 * Reads the balance, the lots and a page of the rows in one statement. Three statements would each see another moment:
 * while a run ends, its refund could be in the balance and not yet in the lots.
 */
export async function readAccountView(
  { userId, cursor }: { userId: string; cursor: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<AccountView> {
  const statement = Prisma.sql`
    SELECT
      (SELECT to_jsonb(own) FROM (${creditsOf(userId)}) AS own) AS credits,
      CASE WHEN ${cursor === null}::boolean THEN (
        SELECT coalesce(jsonb_agg(to_jsonb(own)), '[]') FROM (${heldLots(userId)}) AS own
      ) END AS lots,
      (SELECT coalesce(jsonb_agg(to_jsonb(own)), '[]')
        FROM (${newestTransactions({ userId, cursor })}) AS own) AS rows`;
  const [view] = await queryPrepared<StoredView>("account_view", statement, db);
  if (!view) throw new Error("a list of sub-selects gave no row");
  const { credits, lots, rows } = view;
  const { balance, amount, at } = credits;
  return {
    balance,
    expiring: at !== null && amount !== null ? { amount, at: new Date(at) } : null,
    lots: lots?.map(withTimes) ?? null,
    ...pageOfStory(rows.map(withTimes)),
  };
}

const withTimes = <Row extends { createdAt: string; expiresAt: string | null }>(row: Row) => ({
  ...row,
  createdAt: new Date(row.createdAt),
  expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
});
