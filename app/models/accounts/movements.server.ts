import { ACTION_KEYS, type ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { Movement, MovementKind } from "~/models/accounts/movement";
import { PICTURE, SUBJECT } from "~/models/actions/registry.server";

/** SQL: the id of the run that a row of the ledger belongs to, by its source; null for any other row. */
const RUN_ID = Prisma.sql`
  CASE WHEN source ~ '^(generation|run):[0-9a-f-]{36}(:[0-9]+)?(:refund)?$'
    THEN substring(source FROM '[0-9a-f-]{36}')::uuid END`;

/** SQL: whether the row belongs to a run of these actions. */
const isRunOf = (actions: ActionKey[]) => Prisma.sql`EXISTS (
  SELECT FROM metered_runs AS paid WHERE paid.id = ${RUN_ID}
    AND paid.account_id = credit_transactions.user_id AND paid.action = ANY (${actions}))`;

const RUNS = Object.fromEntries(
  ACTION_KEYS.map((key) => [key, Prisma.sql`type = 'deduction' AND ${isRunOf([key])}`]),
) as Record<ActionKey, Prisma.Sql>;

const CONDITIONS: Record<MovementKind, Prisma.Sql> = {
  ...RUNS,
  all: Prisma.sql`true`,
  refunds: Prisma.sql`type = 'refund'`,
  plan: Prisma.sql`type = 'grant' AND source ~ '^(subscription|upgrade):'`,
  packs: Prisma.sql`type = 'grant' AND source LIKE 'order:%'`,
  expired: Prisma.sql`type = 'expiry'`,
  other: Prisma.sql`(type IN ('reversal', 'adjustment')
    OR type = 'grant' AND source !~ '^(subscription|upgrade|order):'
    OR type = 'deduction' AND NOT ${isRunOf(ACTION_KEYS)})`,
};

/** The actions that the account has used, in the catalog's order. */
export async function listUsedActions(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<ActionKey[]> {
  const statement = Prisma.sql`
    SELECT action FROM unnest(${ACTION_KEYS}::text[]) WITH ORDINALITY AS known (action, at)
    WHERE EXISTS (SELECT FROM metered_runs run
      WHERE run.account_id = ${accountId}::uuid AND run.action = known.action)
    ORDER BY at`;
  const rows = await queryPrepared<{ action: ActionKey }>("list_used_actions", statement, db);
  return rows.map(({ action }) => action);
}

interface Rows {
  userId: string;
  kind: MovementKind;
  /** Only rows with smaller ids. */
  before: string;
  limit: number;
}

/**
 * SQL: the user's newest rows of one kind, each with what it was for. Each join finds at most one row
 * by a key or among the user's own; a source of another form matches none.
 */
export function movementsSql({ userId, kind, before, limit }: Rows): Prisma.Sql {
  return Prisma.sql`
    SELECT row.id::text AS id, row.type, row.source, row.amount, row.balance_after AS "balanceAfter",
      row.expires_at AS "expiresAt", row.description, row.created_at AS "createdAt",
      CASE WHEN run.id IS NOT NULL THEN jsonb_build_object('id', run.id, 'action', run.action,
        'status', run.status, 'units', run.units_reserved, 'credits', run.credits_reserved,
        'subject', ${SUBJECT}, 'picture', ${PICTURE}) END AS run,
      (SELECT orders.id FROM orders WHERE orders.user_id = ${userId}::uuid AND (
        row.source = 'order:' || provider || ':' || provider_checkout_id
        OR starts_with(row.source, 'reversal:' || provider || ':' || provider_checkout_id || ':'))
      ) AS "orderId",
      CASE WHEN paid.id IS NOT NULL THEN jsonb_build_object('planKey', paid.plan_key,
        'paymentId', CASE WHEN paid.kind <> 'trial' THEN paid.id END) END AS plan
    FROM (
      SELECT *, ${RUN_ID} AS run_id,
        CASE WHEN source ~ '^(subscription|upgrade):' AND reference ~ '^[0-9a-f-]{36}$'
          THEN reference::uuid END AS period_id
      FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND id < ${before}::bigint AND ${CONDITIONS[kind]}
      ORDER BY credit_transactions.id DESC LIMIT ${limit}::int
    ) AS row
    LEFT JOIN metered_runs run ON run.id = row.run_id AND run.account_id = row.user_id
      AND run.action = ANY (${ACTION_KEYS})
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
