import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { Movement, MovementKind } from "~/models/accounts/movement";

const CONDITIONS: Record<MovementKind, Prisma.Sql> = {
  all: Prisma.sql`true`,
  images: Prisma.sql`type = 'deduction'`,
  refunds: Prisma.sql`type = 'refund'`,
  plan: Prisma.sql`type = 'grant' AND source ~ '^(subscription|upgrade):'`,
  packs: Prisma.sql`type = 'grant' AND source LIKE 'order:%'`,
  expired: Prisma.sql`type = 'expiry'`,
  other: Prisma.sql`(type IN ('reversal', 'adjustment')
    OR type = 'grant' AND source !~ '^(subscription|upgrade|order):')`,
};

interface Rows {
  userId: string;
  kind: MovementKind;
  /** Only rows with smaller ids. */
  before: string;
  limit: number;
}

/**
 * SQL: the user's newest rows of one kind, each with what it was for. Each join finds at most one row
 * by a key or among the user's own; a source of another form matches none. A stored image's data stays
 * in the database.
 */
export function movementsSql({ userId, kind, before, limit }: Rows): Prisma.Sql {
  return Prisma.sql`
    SELECT row.id::text AS id, row.type, row.source, row.amount, row.balance_after AS "balanceAfter",
      row.expires_at AS "expiresAt", row.description, row.created_at AS "createdAt",
      CASE WHEN made.id IS NOT NULL THEN jsonb_build_object('id', made.id, 'prompt', made.prompt,
        'images', made.n, 'cost', run.credits_reserved,
        'status', run.status,
        'picture', (
          SELECT jsonb_build_object('index', at - 1,
            'url', CASE WHEN image ->> 'url' NOT LIKE 'data:%' THEN image ->> 'url' END,
            'thumbnailWidth', file.thumbnail_widths[1])
          FROM jsonb_array_elements(made.images) WITH ORDINALITY AS kept (image, at)
            LEFT JOIN files AS file
              ON file.id = (image ->> 'fileId')::uuid AND file.deleted_at IS NULL
          WHERE file.id IS NOT NULL OR image ->> 'url' LIKE 'data:%'
            OR (image ->> 'persisted')::boolean AND image ->> 'fileId' IS NULL
          ORDER BY at LIMIT 1)) END AS generation,
      (SELECT orders.id FROM orders WHERE orders.user_id = ${userId}::uuid AND (
        row.source = 'order:' || provider || ':' || provider_checkout_id
        OR starts_with(row.source, 'reversal:' || provider || ':' || provider_checkout_id || ':'))
      ) AS "orderId",
      CASE WHEN paid.id IS NOT NULL THEN jsonb_build_object('planKey', paid.plan_key,
        'paymentId', CASE WHEN paid.kind <> 'trial' THEN paid.id END) END AS plan
    FROM (
      SELECT *, CASE WHEN source ~ '^generation:[0-9a-f-]{36}(:refund)?$'
          THEN substring(source, 12, 36)::uuid END AS generation_id,
        CASE WHEN source ~ '^(subscription|upgrade):' AND reference ~ '^[0-9a-f-]{36}$'
          THEN reference::uuid END AS period_id
      FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND id < ${before}::bigint AND ${CONDITIONS[kind]}
      ORDER BY credit_transactions.id DESC LIMIT ${limit}::int
    ) AS row
    LEFT JOIN metered_runs run ON run.id = row.generation_id AND run.account_id = row.user_id
    LEFT JOIN image_generations made ON made.id = run.id
    LEFT JOIN subscription_periods paid ON paid.id = row.period_id
    ORDER BY row.id DESC`;
}

const MOVEMENTS_PER_PAGE = 50;
export const LARGEST_ID = "9223372036854775807";

/**
 * The user's movements of one kind, newest first, one page at a time. `cursor` is the id of the
 * previous page's last row; a malformed one starts from the top.
 */
export async function listMovements(
  { userId, kind, cursor }: { userId: string; kind: MovementKind; cursor: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ movements: Movement[]; nextCursor: string | null }> {
  // At most eighteen digits: PostgreSQL raises an error above its largest bigint.
  const before = cursor !== null && /^\d{1,18}$/.test(cursor) ? cursor : LARGEST_ID;
  const statement = movementsSql({ userId, kind, before, limit: MOVEMENTS_PER_PAGE + 1 });
  const rows = await queryPrepared<Movement>(`list_movements_${kind}`, statement, db);
  const movements = rows.slice(0, MOVEMENTS_PER_PAGE);
  const nextCursor = rows.length > MOVEMENTS_PER_PAGE ? (movements.at(-1)?.id ?? null) : null;
  return { movements, nextCursor };
}

const MOVEMENTS_AT_ONCE = 200;

/** All of the user's movements, newest first, read a page at a time while they are used. */
export async function* readMovements(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): AsyncGenerator<Movement> {
  for (let before = LARGEST_ID; ; ) {
    const statement = movementsSql({ userId, kind: "all", before, limit: MOVEMENTS_AT_ONCE });
    const rows = await queryPrepared<Movement>("read_movements", statement, db);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < MOVEMENTS_AT_ONCE) return;
    before = last.id;
  }
}
