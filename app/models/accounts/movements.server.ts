import { ACTION_KEYS, type ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { Movement, MovementKind } from "~/models/accounts/movement";
import { PICTURE, SUBJECT } from "~/models/actions/registry.server";
import { CAUSE_JOINS } from "~/models/credits/causes.server";
import { runIdOf } from "~/models/credits/ids-in-rows.server";
import { isLastOfRun, ROWS_OF_RUN } from "~/models/credits/run-rows.server";

/** SQL: whether the ledger's row `row` belongs to a run of these actions. */
const isRunOf = (actions: ActionKey[]) => Prisma.sql`EXISTS (
  SELECT FROM metered_runs AS paid WHERE paid.id = ${runIdOf(Prisma.sql`row.source`)}
    AND paid.account_id = row.user_id AND paid.action = ANY (${actions}))`;

/** SQL: the rows up to `until` that are lines of a kind. Of a run it is the newest, so that each row belongs to one line. */
function isLineOf(kind: MovementKind, until: string): Prisma.Sql {
  switch (kind) {
    case "all":
      return Prisma.sql`(type NOT IN ('deduction', 'refund') OR ${isLastOfRun(until)} OR NOT ${isRunOf(ACTION_KEYS)})`;
    case "plan":
      return Prisma.sql`type = 'grant' AND source ~ '^(subscription|upgrade):'`;
    case "packs":
      return Prisma.sql`type = 'grant' AND source LIKE 'order:%'`;
    case "expired":
      return Prisma.sql`type = 'expiry'`;
    case "other":
      return Prisma.sql`(type IN ('reversal', 'adjustment')
        OR type = 'grant' AND source !~ '^(subscription|upgrade|order):'
        OR type IN ('deduction', 'refund') AND NOT ${isRunOf(ACTION_KEYS)})`;
    default:
      return Prisma.sql`type IN ('deduction', 'refund') AND ${isLastOfRun(until)} AND ${isRunOf([kind])}`;
  }
}

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
  /** `rows`: each row of the ledger is a line. */
  kind: MovementKind | "rows";
  /** Only rows with smaller ids. */
  before: string;
  /** The id of the newest row when the first page was read. */
  until?: string;
  limit: number;
}

/** SQL: the user's newest lines of one kind, each with what it was for. */
export function movementsSql({
  userId,
  kind,
  before,
  until = LARGEST_ID,
  limit,
}: Rows): Prisma.Sql {
  const isByRow = kind === "rows";
  return Prisma.sql`
    SELECT row.id::text AS id, row.type, row.source, coalesce(whole.net, row.amount) AS amount,
      row.balance_after AS "balanceAfter", row.expires_at AS "expiresAt", row.description,
      CASE WHEN whole.parts IS NULL THEN row.created_at ELSE run.created_at END AS "createdAt",
      coalesce(whole.parts, '[]') AS parts,
      CASE WHEN run.action = ANY (${ACTION_KEYS}) THEN jsonb_build_object('id', run.id,
        'action', run.action, 'status', run.status,
        'units', CASE run.status WHEN 'settled' THEN run.units_used ELSE run.units_reserved END,
        'unused', CASE run.status WHEN 'settled' THEN greatest(0, run.units_reserved - run.units_used) ELSE 0 END,
        'subject', ${SUBJECT}, 'picture', ${PICTURE}) END AS run,
      program.name AS "apiKeyName", sold.id AS "orderId",
      CASE WHEN paid.id IS NOT NULL THEN jsonb_build_object('planKey', paid.plan_key,
        'paymentId', CASE WHEN paid.kind <> 'trial' THEN paid.id END) END AS plan
    FROM (
      SELECT * FROM credit_transactions row
      WHERE user_id = ${userId}::uuid AND id < ${before}::bigint
        AND ${isByRow ? Prisma.sql`true` : isLineOf(kind, until)}
      ORDER BY row.id DESC LIMIT ${limit}::int
    ) AS row
    ${CAUSE_JOINS}
    LEFT JOIN LATERAL (${isByRow ? NOTHING : ROWS_OF_RUN}) AS whole
      ON run.action = ANY (${ACTION_KEYS})
    ORDER BY row.id DESC`;
}

const NOTHING = Prisma.sql`SELECT NULL::jsonb AS parts, NULL::int AS net`;

const MOVEMENTS_PER_PAGE = 50;
export const LARGEST_ID = "9223372036854775807";

/**
 * The lines of the user's history of one kind, newest first, one page at a time; a run is one line. `cursor` is a
 * page's `nextCursor`; a malformed one starts from the top. It keeps where the first page began: a run that moves on
 * while somebody turns the pages stays where it was, so that none is skipped or comes twice.
 */
export async function listMovements(
  { userId, kind, cursor }: { userId: string; kind: MovementKind; cursor: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ movements: Movement[]; nextCursor: string | null }> {
  const { before, until } = parseCursor(cursor);
  const statement = movementsSql({ userId, kind, before, until, limit: MOVEMENTS_PER_PAGE + 1 });
  const rows = await queryPrepared<Movement>(`list_movements_${kind}`, statement, db);
  const movements = rows.slice(0, MOVEMENTS_PER_PAGE);
  const newest = until === LARGEST_ID ? movements.at(0)?.id : until;
  const last = movements.at(-1)?.id;
  const nextCursor = rows.length > MOVEMENTS_PER_PAGE ? `${last}-${newest}` : null;
  return { movements, nextCursor };
}

/** At most eighteen digits: PostgreSQL raises an error above its largest bigint. */
function parseCursor(cursor: string | null): { before: string; until: string } {
  const [, before = LARGEST_ID, until = LARGEST_ID] =
    /^(\d{1,18})-(\d{1,18})$/.exec(cursor ?? "") ?? [];
  return { before, until };
}

const MOVEMENTS_AT_ONCE = 200;

/** All rows of the user's ledger, newest first, read a page at a time while they are used. */
export async function* readMovements(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): AsyncGenerator<Movement> {
  for (let before = LARGEST_ID; ; ) {
    const statement = movementsSql({ userId, kind: "rows", before, limit: MOVEMENTS_AT_ONCE });
    const rows = await queryPrepared<Movement>("read_movements", statement, db);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < MOVEMENTS_AT_ONCE) return;
    before = last.id;
  }
}
