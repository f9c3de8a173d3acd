import type pg from "pg";

/** Counters that every request may write, and what each process notes of itself. */
const COUNTERS = ["rate_limits", "server_processes"];

type Query = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>;

/** The names of all tables of the app. */
export async function listTables(query: Query): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns a stamp of each table, but for the counters of limits, that every write to the table changes, one that writes the same again, too:
 * the count of its rows and the newest transaction that wrote one.
 */
export async function stampTables(query: Query): Promise<Record<string, string>> {
  const names = (await listTables(query)).filter((name) => !COUNTERS.includes(name));
  const stamps = names.map(
    (name) =>
      `SELECT '${name}' AS name, concat_ws(' ', count(*), max(xmin::text::bigint)) AS stamp FROM ${name}`,
  );
  const rows = await query<{ name: string; stamp: string }>(stamps.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ name, stamp }) => [name, stamp]));
}
