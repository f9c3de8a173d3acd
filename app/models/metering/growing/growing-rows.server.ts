import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { MeteredRunStatus } from "~/generated/prisma/enums";
import { type ActionParts, runRequest } from "~/models/metering/action-parts.server";
import type { Grown } from "~/models/metering/growing/grow.server";
import type {
  Asking,
  FinishReason,
  GrowingAction,
  GrowingTable,
} from "~/models/metering/growing/growing-action";
import { unitsAtFirst } from "~/models/metering/growing/slices";
import type { OwnStep } from "~/models/metering/reserve.server";
import type { RunFault } from "~/models/metering/runs.server";

// Names of tables and columns come from the code alone, never from a request.
const raw = Prisma.raw;
type Columns = Record<string, string>;

const objectOf = (columns: Columns) =>
  raw(
    `jsonb_build_object(${Object.entries(columns).map(([field, column]) => `'${field}', made.${column}`)})`,
  );

/** The values of an object's fields by their columns. Half a character, which JSON can have, becomes a replacement character. */
function rowOf(columns: Columns, values: object): string {
  const given = new Map<string, unknown>(Object.entries(values));
  const row = Object.entries(columns).map(([field, column]) => [column, given.get(field) ?? null]);
  return JSON.stringify(Object.fromEntries(row), (_key, value: unknown) =>
    typeof value === "string" ? Buffer.from(value).toString() : value,
  );
}

/** The fields of a request, in a fixed order. */
export const fieldsOf = ({ request: columns }: GrowingTable, request: Asking): unknown[] =>
  Object.values(JSON.parse(rowOf(columns, request)) as object);

/** Keeps what was asked for. */
export function keepRequest(
  { key, table: { name, request: columns } }: GrowingAction,
  userId: string,
  request: Asking,
): OwnStep {
  const names = Object.values<string>(columns);
  return {
    name: key,
    step: Prisma.sql`, made AS (
      INSERT INTO ${raw(name)} (id, user_id, ${raw(names.join(", "))})
      SELECT run.id, ${userId}::uuid, ${raw(names.map((column) => `asked.${column}`).join(", "))}
      FROM run, jsonb_populate_record(NULL::${raw(name)}, ${rowOf(columns, request)}::jsonb) asked
    )`,
  };
}

/** Keeps the result. */
export function keepResult(
  { key, table }: GrowingAction,
  { text, finishReason, usage }: Grown,
): OwnStep {
  const used = Object.values<string>(table.usage).map((column) => `, ${column} = used.${column}`);
  return {
    name: key,
    step: Prisma.sql`, made AS (
      UPDATE ${raw(table.name)} made
      SET text = ${text}, finish_reason = ${finishReason}${raw(used.join(""))}
      FROM settled, jsonb_populate_record(NULL::${raw(table.name)}, ${rowOf(table.usage, usage)}::jsonb) used
      WHERE made.id = settled.id
    )`,
  };
}

/** The request of a run, without fields that it left out. */
export async function getRequest(
  { name, request }: GrowingTable,
  runId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Asking> {
  const [row] = await db.$queryRaw<{ request: Asking }[]>`
    SELECT jsonb_strip_nulls(${objectOf(request)}) AS request FROM ${raw(name)} made WHERE id = ${runId}::uuid`;
  if (!row) throw new Error(`${name}: ${runId} is gone`);
  return row.request;
}

/** Keeps the result so far, for those who read along. */
export async function keepPart(
  table: string,
  { runId, text }: { runId: string; text: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE ${raw(table)} SET text = ${text} WHERE id = ${runId}::uuid AND finish_reason IS NULL`;
}

interface OwnRun {
  runId: string;
  accountId: string;
}

/** The result so far, and whether the run goes on; null for another's run, or one that was deleted. */
export async function getPart(
  { name }: GrowingTable,
  { runId, accountId }: OwnRun,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ text: string; isRunning: boolean } | null> {
  const statement = Prisma.sql`
    SELECT made.text, run.status = 'reserved' AS "isRunning"
    FROM metered_runs run JOIN ${raw(name)} made USING (id)
    WHERE run.id = ${runId}::uuid AND run.account_id = ${accountId}::uuid`;
  const [part] = await queryPrepared<{ text: string; isRunning: boolean }>(
    `get_part_${name}`,
    statement,
    db,
  );
  return part ?? null;
}

/** The result of a settled run; null once its owner deleted it. */
export async function getResult(
  { name, usage }: GrowingTable,
  { runId, accountId }: OwnRun,
  db: DatabaseOrTransaction = getDb(),
): Promise<Grown | null> {
  const statement = Prisma.sql`
    SELECT text, finish_reason AS "finishReason", ${objectOf(usage)} AS usage
    FROM ${raw(name)} made JOIN metered_runs run USING (id)
    WHERE run.id = ${runId}::uuid AND run.account_id = ${accountId}::uuid AND finish_reason IS NOT NULL`;
  const [result] = await queryPrepared<Grown>(`get_result_${name}`, statement, db);
  return result ?? null;
}

/** A run as its owner's page shows it. */
export interface ShownGrowth {
  id: string;
  subject: string;
  /** The request's fields, as the form has them. */
  request: Record<string, string | number | null>;
  text: string;
  finishReason: FinishReason | null;
  status: MeteredRunStatus;
  error: RunFault | null;
  creditsCharged: number;
}

/** The owner's latest runs, and the named one first, wherever it stands. */
export function listShown(
  { name, request, subject }: GrowingTable,
  { userId, runId, limit }: { userId: string; runId: string | null; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<ShownGrowth[]> {
  return db.$queryRaw`
    SELECT id, ${raw(subject)} AS subject, ${objectOf(request)} AS request, text,
      finish_reason AS "finishReason", run.status, run.error, run.credits_charged AS "creditsCharged"
    FROM ${raw(name)} made JOIN metered_runs run USING (id)
    WHERE made.user_id = ${userId}::uuid
    ORDER BY id IS NOT DISTINCT FROM ${runId}::uuid DESC, made.created_at DESC, id DESC LIMIT ${limit}`;
}

/**
 * Deletes a result that has ended; what was paid for it stays in the history. Returns false, with nothing changed, for
 * one that is still being made.
 */
export async function deleteResult(
  { name }: GrowingTable,
  { userId, runId }: { userId: string; runId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const [running] = await db.$queryRaw<object[]>`
    WITH deleted AS (
      DELETE FROM ${raw(name)} made USING metered_runs run
      WHERE made.id = ${runId}::uuid AND made.user_id = ${userId}::uuid AND run.id = made.id AND run.status <> 'reserved'
      RETURNING made.id
    )
    SELECT FROM ${raw(name)} made
    WHERE id = ${runId}::uuid AND user_id = ${userId}::uuid AND NOT EXISTS (SELECT FROM deleted)`;
  return running === undefined;
}

/** Returns the registry's entry for an action whose result grows: all of it follows from its table. */
export function growingParts(action: GrowingAction): ActionParts {
  const { name, request, usage, subject } = action.table;
  const own = Object.entries({ ...request, ...usage }).map(([as, at]) => `made.${at} AS "${as}"`);
  const kept = (row: { text: string; finishReason: FinishReason | null } | null) => ({
    text: row?.text ?? "",
    finishReason: row?.finishReason ?? null,
  });
  return {
    isOn: () => action.isOn(),
    isReady: () => action.provider() !== null,
    request: runRequest(action.schema, (request) =>
      unitsAtFirst(action.key, action.measure(request)),
    ),
    subject: raw(`SELECT ${subject} FROM ${name} made WHERE made.id = run.id`),
    picture: null,
    growing: action,
    results: {
      one: async ({ id: runId, accountId }) =>
        kept(await getResult(action.table, { runId, accountId })),
      async several(runIds) {
        const rows = await getDb().$queryRaw<
          { id: string; text: string; finishReason: FinishReason }[]
        >`
          SELECT id, text, finish_reason AS "finishReason" FROM ${raw(name)}
          WHERE id = ANY (${runIds}::uuid[]) AND finish_reason IS NOT NULL`;
        return rows.map(({ id, ...row }) => [id, kept(row)]);
      },
    },
    exported: {
      name: `${action.key}s`,
      page: ({ userId, until, after, limit }, db) => db.$queryRaw`
        SELECT id, ${raw(own.join(", "))}, text, made.finish_reason AS "finishReason", run.status,
          run.credits_charged AS "creditsCharged", made.created_at AS "createdAt",
          made.created_at::text AS place
        FROM ${raw(name)} made JOIN metered_runs run USING (id)
        WHERE made.user_id = ${userId}::uuid AND made.created_at <= ${until}::timestamptz
          AND (made.created_at, id) > (${after.place}::timestamptz, ${after.id}::uuid)
        ORDER BY made.created_at, id LIMIT ${limit}`,
    },
    async erase(accountId, transaction) {
      await transaction.$executeRaw`
        DELETE FROM ${raw(name)} made USING metered_runs run
        WHERE run.id = made.id AND run.account_id = ${accountId}::uuid`;
    },
  };
}
