import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { daysOfCredits, daysOfSales } from "~/models/figures/changed-days.server";
import { LEDGER_SUMS } from "~/models/figures/day-sums.server";
import { isLedgerClosed } from "~/models/figures/ledger-writers.server";
import { PAYMENTS } from "~/models/figures/payments.server";
import { COSTLY_DAYS_AFTER, SALE_SUMS } from "~/models/figures/sale-sums.server";
import type { Days, SummaryGroup } from "~/models/figures/summary.server";

const LONGEST_MS = 10 * 60 * 1000;

/** Summaries that become due together, by the changes that triggers noted. */
interface Part {
  group: SummaryGroup;
  /** The column of `figure_days`. */
  isDue: Prisma.Sql;
  changes: Prisma.Sql;
  /** SQL: the days that rows of `changes`, in this table, make due. */
  changedDays: (changed: Prisma.Sql) => Prisma.Sql;
}

const PARTS: readonly Part[] = [
  {
    group: LEDGER_SUMS,
    isDue: Prisma.sql`is_due`,
    changes: Prisma.sql`figure_changes`,
    changedDays: daysOfCredits,
  },
  {
    group: SALE_SUMS,
    isDue: Prisma.sql`is_sales_due`,
    changes: Prisma.sql`sale_changes`,
    changedDays: daysOfSales,
  },
];

interface Making {
  /** At most so many days. */
  limit: number;
  /** Milliseconds to wait for the last writers of yesterday. */
  patience?: number;
  onDay?: (day: string) => void;
}

/**
 * Sums up the days that are due, oldest first, and returns how many: those that ended since, those on which credits
 * moved whose price was told later, and those of sales and returns that were told later. A day is summed whole, in one transaction, from the ledger's rows; so doing it again,
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

/** A change that commits while a day is summed is found by the next call. */
async function markChanged(db: Database): Promise<void> {
  for (const { isDue, changes, changedDays } of PARTS)
    await db.$executeRaw`
      WITH changed AS (DELETE FROM ${changes} RETURNING *),
      again AS (${locked(Prisma.sql`day IN (${changedDays(Prisma.sql`changed`)})`)})
      UPDATE figure_days SET ${isDue} = true FROM again WHERE figure_days.day = again.day`;
}

/** SQL: locks these days. Who locks several does so in their order, and none waits for another in a circle. */
const locked = (condition: Prisma.Sql) =>
  Prisma.sql`SELECT day FROM figure_days WHERE ${condition} ORDER BY figure_days.day FOR UPDATE`;

/**
 * Adds the days that can get no more rows, from the first of all rows on. A run and a sale have the time at which their
 * transaction began, or an earlier one, so a day is over some minutes later: by then it has written them, or failed.
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
    SELECT generate_series(${FIRST_DAY}, ${clock.today}::date - 1, interval '1 day')::date
    ON CONFLICT DO NOTHING`;
}

/** SQL: the first day that has rows. The ledger's rows never get an earlier one; sales that are told late do. */
const FIRST_DAY = Prisma.sql`least(
  coalesce((SELECT min(day) FROM figure_days),
    (SELECT min(created_at) AT TIME ZONE 'UTC' FROM credit_transactions)::date),
  (SELECT min(created_at) AT TIME ZONE 'UTC' FROM users)::date,
  (SELECT min(at) AT TIME ZONE 'UTC' FROM ${PAYMENTS} AS payment)::date,
  (SELECT min(coalesce(provider_at, heard_at)) AT TIME ZONE 'UTC' FROM payment_returns)::date)`;

/**
 * Settings of the transaction for these statements: compiling them takes longer than a day's rows do, of which the planner
 * expects far more; and these were mostly read a moment ago, so the index finds them for less than reading the whole table.
 */
async function tunePlanner(transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`SET LOCAL jit = off`;
  await transaction.$executeRaw`SET LOCAL random_page_cost = 1.1`;
}

/**
 * Sums the oldest day that is due; null if there is none. A day whose runs go on waits for them. One process at a time: the
 * costliest accounts of a day are summed from the days before it.
 */
async function makeNextDay(transaction: Transaction): Promise<string | null> {
  await tunePlanner(transaction);
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('figure_days', 0))`;
  const [due] = await transaction.$queryRaw<{ day: string; isDue: boolean; isSalesDue: boolean }[]>`
    SELECT day::text, is_due AS "isDue", is_sales_due AS "isSalesDue" FROM figure_days
    WHERE (is_due OR is_sales_due) AND NOT (is_due AND EXISTS (
      SELECT FROM metered_runs
      WHERE status = 'reserved' AND created_at < (day + 1)::timestamp AT TIME ZONE 'UTC'))
    ORDER BY figure_days.day LIMIT 1 FOR UPDATE`;
  if (!due) return null;
  const { day } = due;
  const haveCostsChanged = due.isDue && (await makeLedgerSums(day, transaction));
  const isSalesDue = due.isSalesDue || haveCostsChanged;
  if (isSalesDue) await makeSums(SALE_SUMS, day, transaction);
  await transaction.$executeRaw`
    UPDATE figure_days SET is_due = false, is_sales_due = false,
      made_at = CASE WHEN is_due THEN clock_timestamp() ELSE made_at END,
      sales_made_at = CASE WHEN ${isSalesDue} THEN clock_timestamp() ELSE sales_made_at END
    WHERE day = ${day}::date`;
  return day;
}

async function makeSums(
  { steps, summaries }: SummaryGroup,
  day: string,
  transaction: Transaction,
): Promise<void> {
  const days = { first: day, last: day };
  for (const { table } of summaries)
    await transaction.$executeRaw`DELETE FROM ${table} WHERE day = ${day}::date`;
  const made = summaries.map(
    ({ name, table, columns, rows }) => Prisma.sql`
      ${Prisma.raw(`made_${name}`)} AS (INSERT INTO ${table} (${columns}) ${rows(days)})`,
  );
  await transaction.$executeRaw`
    WITH ${await steps(days, transaction)}, ${Prisma.join(made)} SELECT 1`;
}

/** Returns whether the accounts' costs of the day changed. Then the days after it for which they count are due, too. */
async function makeLedgerSums(day: string, transaction: Transaction): Promise<boolean> {
  const before = await digestCosts(day, transaction);
  await makeSums(LEDGER_SUMS, day, transaction);
  if ((await digestCosts(day, transaction)) === before) return false;
  const isAfter = Prisma.sql`NOT is_sales_due
    AND day > ${day}::date AND day <= ${day}::date + ${COSTLY_DAYS_AFTER}::int`;
  await transaction.$executeRaw`
    WITH again AS (${locked(isAfter)})
    UPDATE figure_days SET is_sales_due = true FROM again WHERE figure_days.day = again.day`;
  return true;
}

async function digestCosts(day: string, db: DatabaseOrTransaction): Promise<string | null> {
  const [row] = await db.$queryRaw<{ digest: string | null }[]>`
    SELECT sum(hashtextextended(concat_ws(' ', account_id, runs, credits, cost_usd_micros), 0)::numeric)::text
      AS digest
    FROM account_days WHERE day = ${day}::date`;
  return row?.digest ?? null;
}

/** Makes these days due again, of those that were summed. Returns how many. */
export function markDaysDue({ first, last }: Days, db: DatabaseOrTransaction): Promise<number> {
  const isAsked = Prisma.sql`day BETWEEN ${first}::date AND ${last}::date`;
  return db.$executeRaw`
    WITH again AS (${locked(isAsked)})
    UPDATE figure_days SET is_due = true, is_sales_due = true FROM again
    WHERE figure_days.day = again.day`;
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
      await tunePlanner(snapshot);
      const all = new Set<string>();
      for (const { group, isDue, changes, changedDays } of PARTS) {
        const made = await snapshot.$queryRaw<{ day: string }[]>`
          SELECT day::text FROM figure_days
          WHERE NOT ${isDue} AND day NOT IN (${changedDays(changes)}) ORDER BY figure_days.day`;
        const days = made.map(({ day }) => day);
        for (const day of days) all.add(day);
        for (let at = 0; at < days.length; at += DAYS_AT_ONCE) {
          const some = days.slice(at, at + DAYS_AT_ONCE);
          for (const fault of await compareDays(group, some, snapshot)) onFault(fault);
        }
      }
      return { days: all.size };
    },
    { isolationLevel: "RepeatableRead", timeout: 24 * 60 * LONGEST_MS },
  );
}

async function compareDays(
  { steps, summaries }: SummaryGroup,
  days: string[],
  snapshot: DatabaseOrTransaction,
): Promise<FigureFault[]> {
  const range = { first: days[0] ?? "", last: days.at(-1) ?? "" };
  const compared = summaries.map(({ name, table, columns, rows }) => {
    const [fresh, stored] = [Prisma.raw(`fresh_${name}`), Prisma.raw(`stored_${name}`)];
    return {
      both: Prisma.sql`${fresh} AS (${rows(range)}), ${stored} AS (
        SELECT ${columns} FROM ${table}
        WHERE day BETWEEN ${range.first}::date AND ${range.last}::date)`,
      differing: Prisma.sql`SELECT ${name}::text AS table, day FROM (
        (SELECT * FROM ${stored} EXCEPT ALL SELECT * FROM ${fresh})
        UNION ALL (SELECT * FROM ${fresh} EXCEPT ALL SELECT * FROM ${stored})
      ) AS differing`,
    };
  });
  return snapshot.$queryRaw`
    WITH ${await steps(range, snapshot)}, ${Prisma.join(compared.map(({ both }) => both))}
    SELECT day::text, "table", count(*)::int AS rows FROM (
      ${Prisma.join(
        compared.map(({ differing }) => differing),
        " UNION ALL ",
      )}
    ) AS differing
    WHERE day::text = ANY (${days}) GROUP BY 1, 2 ORDER BY 1, 2`;
}
