import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { type Days, SUMMARIES, withSettled } from "~/models/figures/day-sums.server";
import { isLedgerClosed } from "~/models/figures/ledger-writers.server";

const LONGEST_MS = 10 * 60 * 1000;

interface Making {
  /** At most so many days. */
  limit: number;
  /** Milliseconds to wait for the last writers of yesterday. */
  patience?: number;
  onDay?: (day: string) => void;
}

/**
 * Sums up the days that are due, oldest first, and returns how many: those that ended since, and those on which credits
 * moved whose price was told later. A day is summed whole, in one transaction, from the ledger's rows; so doing it again,
 * or in two processes, changes nothing.
 */
export async function makeFigureDays(
  { limit, patience = 2_000, onDay }: Making,
  db: Database = getDb(),
): Promise<number> {
  await markChanged(db);
  await addEndedDays(patience, db);
  let made = 0;
  while (made < limit) {
    const day = await db.$transaction(makeNextDay, { timeout: LONGEST_MS });
    if (day === null) break;
    onDay?.(day);
    made += 1;
  }
  return made;
}

/** SQL: the days on which credits of these sales moved, and those before: a run may begin before its deduction's midnight. */
const daysOf = (sales: Prisma.Sql) => Prisma.sql`
  SELECT DISTINCT (moved.at AT TIME ZONE 'UTC')::date - before AS day
  FROM credit_transactions lot CROSS JOIN LATERAL (
    SELECT lot.created_at UNION ALL
    SELECT entry.created_at FROM credit_allocations
      JOIN credit_transactions entry ON entry.id = transaction_id WHERE lot_id = lot.id
  ) AS moved (at) CROSS JOIN (VALUES (0), (1)) AS earlier (before)
  WHERE lot.remaining IS NOT NULL AND lot.reference IN (SELECT sale_id::text FROM ${sales})`;

/** A change that commits while a day is summed is found by the next call. Rows are locked in one order. */
async function markChanged(db: Database): Promise<void> {
  await db.$executeRaw`
    WITH changed AS (DELETE FROM figure_changes RETURNING sale_id),
    again AS (
      SELECT day FROM figure_days WHERE day IN (${daysOf(Prisma.sql`changed`)})
      ORDER BY day FOR UPDATE
    )
    UPDATE figure_days SET is_due = true FROM again WHERE figure_days.day = again.day`;
}

/**
 * Adds the days that can get no more rows, from the ledger's first one on. A run has the time at which its transaction
 * began, so a day is over some minutes later: by then it has written its run, or failed.
 */
async function addEndedDays(patience: number, db: Database): Promise<void> {
  const [clock] = await db.$queryRaw<{ today: string; isMissing: boolean }[]>`
    SELECT today::text, NOT EXISTS (SELECT FROM figure_days WHERE day = today - 1) AS "isMissing"
    FROM (
      SELECT ((clock_timestamp() - interval '5 minutes') AT TIME ZONE 'UTC')::date AS today
    ) AS clock`;
  if (!clock?.isMissing) return;
  if (!(await isLedgerClosed({ end: new Date(clock.today), patience }, db))) return;
  await db.$executeRaw`
    INSERT INTO figure_days (day)
    SELECT generate_series(
      coalesce((SELECT max(day) + 1 FROM figure_days),
        (SELECT (min(created_at) AT TIME ZONE 'UTC')::date FROM credit_transactions)),
      ${clock.today}::date - 1, interval '1 day')::date
    ON CONFLICT DO NOTHING`;
}

/** Compiling these statements takes longer than a day's rows do: the planner expects far more of them. */
const withoutCompiling = (transaction: Transaction) => transaction.$executeRaw`SET LOCAL jit = off`;

/** Sums the oldest day that is due and whose runs have all ended; null if there is none. */
async function makeNextDay(transaction: Transaction): Promise<string | null> {
  await withoutCompiling(transaction);
  const [due] = await transaction.$queryRaw<{ day: string }[]>`
    SELECT day::text FROM figure_days
    WHERE is_due AND NOT EXISTS (
      SELECT FROM metered_runs
      WHERE status = 'reserved' AND created_at < (day + 1)::timestamp AT TIME ZONE 'UTC')
    ORDER BY figure_days.day LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (!due) return null;
  const { day } = due;
  const days = await withSettled({ first: day, last: day }, transaction);
  for (const { table, columns, sums } of SUMMARIES) {
    await transaction.$executeRaw`DELETE FROM ${table} WHERE day = ${day}::date`;
    await transaction.$executeRaw`INSERT INTO ${table} (${columns}) ${sums(days)}`;
  }
  await transaction.$executeRaw`
    UPDATE figure_days SET is_due = false, made_at = clock_timestamp() WHERE day = ${day}::date`;
  return day;
}

/** Makes these days due again, of those that were summed. Returns how many. */
export function markDaysDue({ first, last }: Days, db: DatabaseOrTransaction): Promise<number> {
  return db.$executeRaw`
    UPDATE figure_days SET is_due = true WHERE day BETWEEN ${first}::date AND ${last}::date`;
}

/** A summary that isn't the sum of the rows. */
export interface FigureFault {
  day: string;
  table: string;
  /** Rows that differ, of the summary or of the sums made anew. */
  rows: number;
}

const DAYS_AT_ONCE = 31;

/**
 * Sums all days anew that are summed and not due, from one snapshot, and compares. Days that a change makes due are left
 * out: the next run of maintenance sums them again. Changes nothing.
 */
export function listFigureFaults(
  onFault: (fault: FigureFault) => void,
  db: Database = getDb(),
): Promise<{ days: number }> {
  return db.$transaction(
    async (snapshot) => {
      await snapshot.$executeRaw`SET TRANSACTION READ ONLY`;
      await withoutCompiling(snapshot);
      const made = await snapshot.$queryRaw<{ day: string }[]>`
        SELECT day::text FROM figure_days
        WHERE NOT is_due AND day NOT IN (${daysOf(Prisma.sql`figure_changes`)}) ORDER BY figure_days.day`;
      const days = made.map(({ day }) => day);
      for (let at = 0; at < days.length; at += DAYS_AT_ONCE) {
        const some = days.slice(at, at + DAYS_AT_ONCE);
        for (const fault of await compareDays(some, snapshot)) onFault(fault);
      }
      return { days: days.length };
    },
    { isolationLevel: "RepeatableRead", timeout: 24 * 60 * LONGEST_MS },
  );
}

async function compareDays(
  days: string[],
  snapshot: DatabaseOrTransaction,
): Promise<FigureFault[]> {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const faults: FigureFault[] = [];
  const settled = await withSettled({ first, last }, snapshot);
  for (const { name, table, columns, sums } of SUMMARIES) {
    const stored = Prisma.sql`SELECT ${columns} FROM ${table}
      WHERE day BETWEEN ${first}::date AND ${last}::date`;
    const rows = await snapshot.$queryRaw<Omit<FigureFault, "table">[]>`
      WITH fresh AS MATERIALIZED (${sums(settled)}), stored AS MATERIALIZED (${stored})
      SELECT day::text, count(*)::int AS rows FROM (
        (SELECT * FROM stored EXCEPT ALL SELECT * FROM fresh)
        UNION ALL (SELECT * FROM fresh EXCEPT ALL SELECT * FROM stored)
      ) AS differing
      WHERE day::text = ANY (${days}) GROUP BY 1 ORDER BY 1`;
    faults.push(...rows.map((row) => ({ ...row, table: name })));
  }
  return faults;
}
