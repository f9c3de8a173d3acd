import type { ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { IS_KNOWN, RUN, type Run } from "~/models/metering/runs.server";
import type { Place } from "~/models/row-pages.server";
import { isUuid } from "~/utils/uuid";

const RUNS_PER_PAGE = 50;

interface RunQuery {
  accountId: string;
  /** Null for all. */
  action: ActionKey | null;
  /** The id of the previous page's last run. Anything else begins at the top. */
  cursor: string | null;
}

/** The account's runs, newest first, one page at a time. */
export async function listRuns(
  { accountId, action, cursor }: RunQuery,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ runs: Run[]; nextCursor: string | null }> {
  const { place, id } = (await placeOf({ accountId, cursor }, db)) ?? NEWEST;
  const rows = await db.$queryRaw<Run[]>`
    SELECT ${RUN} FROM metered_runs run
    WHERE account_id = ${accountId}::uuid AND ${IS_KNOWN}
      AND (${action}::text IS NULL OR action = ${action})
      AND (created_at, id) < (${place}::timestamptz, ${id}::uuid)
    ORDER BY created_at DESC, id DESC LIMIT ${RUNS_PER_PAGE + 1}`;
  const runs = rows.slice(0, RUNS_PER_PAGE);
  return { runs, nextCursor: rows.length > RUNS_PER_PAGE ? (runs.at(-1)?.id ?? null) : null };
}

const NEWEST: Place = { place: "infinity", id: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

async function placeOf(
  { accountId, cursor }: Omit<RunQuery, "action">,
  db: DatabaseOrTransaction,
): Promise<Place | null> {
  if (cursor === null || !isUuid(cursor)) return null;
  const [row] = await db.$queryRaw<Place[]>`
    SELECT created_at::text AS place, id FROM metered_runs
    WHERE id = ${cursor}::uuid AND account_id = ${accountId}::uuid`;
  return row ?? null;
}
