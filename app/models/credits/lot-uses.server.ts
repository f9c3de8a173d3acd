import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { CAUSE, CAUSE_JOINS } from "~/models/credits/causes.server";
import { runIdOf } from "~/models/credits/ids-in-rows.server";
import type { Lot } from "~/models/credits/lot";

/** SQL: a lot as its owner sees it: where it came from, and what left it, net of what came back. */
const lotOf = (rows: Prisma.Sql, order: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT row.id::text AS id, row.type, row.source, row.amount, row.remaining, row.expires_at AS "expiresAt",
    row.description, row.created_at AS "createdAt", ${CAUSE}, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('for', kind, 'action', action, 'credits', credits)
        ORDER BY credits DESC, kind, action), '[]')
      FROM (
        SELECT CASE moved.type WHEN 'expiry' THEN 'expired' WHEN 'reversal' THEN 'returned'
            WHEN 'adjustment' THEN 'correction' ELSE CASE WHEN spent.id IS NULL THEN 'other' ELSE 'run' END
          END AS kind, spent.action, -sum(allocation.amount)::int AS credits
        FROM credit_allocations allocation
          JOIN credit_transactions moved ON moved.id = allocation.transaction_id
          LEFT JOIN metered_runs spent ON spent.id = ${runIdOf(Prisma.sql`moved.source`)}
            AND spent.account_id = row.user_id
        WHERE allocation.lot_id = row.id
        GROUP BY 1, spent.action HAVING sum(allocation.amount) <> 0
      ) AS use) AS uses
  FROM (${rows}) AS row ${CAUSE_JOINS} ORDER BY ${order}`;

const BURN_ORDER = Prisma.sql`row.expires_at NULLS LAST, row.id`;
const LOTS_AT_ONCE = 50;

/** SQL: the user's lots that hold spendable credits, in burn order: at most fifty. */
export function heldLots(userId: string): Prisma.Sql {
  const held = Prisma.sql`
    SELECT * FROM credit_transactions row WHERE user_id = ${userId}::uuid AND remaining > 0
      AND (expires_at > statement_timestamp()) IS NOT FALSE
    ORDER BY ${BURN_ORDER} LIMIT ${LOTS_AT_ONCE}`;
  return lotOf(held, BURN_ORDER);
}

/** The user's lots that hold spendable credits, in burn order: at most fifty. */
export function listHeldLots(userId: string, db: DatabaseOrTransaction = getDb()): Promise<Lot[]> {
  return queryPrepared<Lot>("list_held_lots", heldLots(userId), db);
}

/** All of the user's lots up to the row `until`, oldest first, read a page at a time while they are used. */
export async function* readLots(
  { userId, until }: { userId: string; until: string },
  db: DatabaseOrTransaction = getDb(),
): AsyncGenerator<Lot> {
  for (let after = "0"; ; ) {
    const oldest = Prisma.sql`
      SELECT * FROM credit_transactions row
      WHERE user_id = ${userId}::uuid AND remaining IS NOT NULL AND id > ${after}::bigint
        AND id <= ${until}::bigint
      ORDER BY row.id LIMIT ${LOTS_AT_ONCE}`;
    const lots = await queryPrepared<Lot>("read_lots", lotOf(oldest, Prisma.sql`row.id`), db);
    yield* lots;
    const last = lots.at(-1);
    if (!last || lots.length < LOTS_AT_ONCE) return;
    after = last.id;
  }
}

/** The user's lots, newest first, one page at a time. `cursor` is the id of the previous page's last lot. */
export async function listLotUses(
  { userId, cursor }: { userId: string; cursor: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ lots: Lot[]; nextCursor: string | null }> {
  const before = cursor !== null && /^\d{1,18}$/.test(cursor) ? cursor : null;
  const newest = Prisma.sql`
    SELECT * FROM credit_transactions row
    WHERE user_id = ${userId}::uuid AND remaining IS NOT NULL
      AND (${before}::bigint IS NULL OR id < ${before}::bigint)
    ORDER BY row.id DESC LIMIT ${LOTS_AT_ONCE + 1}`;
  const statement = lotOf(newest, Prisma.sql`row.id DESC`);
  const rows = await queryPrepared<Lot>("list_lot_uses", statement, db);
  const lots = rows.slice(0, LOTS_AT_ONCE);
  return { lots, nextCursor: rows.length > LOTS_AT_ONCE ? (lots.at(-1)?.id ?? null) : null };
}

/** These lots, oldest first. */
export function getLotUses(ids: string[], db: DatabaseOrTransaction = getDb()): Promise<Lot[]> {
  const wanted = Prisma.sql`
    SELECT * FROM credit_transactions row WHERE id = ANY (${ids}::bigint[]) AND remaining IS NOT NULL`;
  return db.$queryRaw<Lot[]>(lotOf(wanted, Prisma.sql`row.id`));
}
