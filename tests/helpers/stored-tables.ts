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

/** Returns the sum of the hashes of each table's rows, but for the counters of limits. No order is needed, which makes it cheap. */
export async function hashTables(query: Query): Promise<Record<string, string>> {
  const names = (await listTables(query)).filter((name) => !COUNTERS.includes(name));
  const hashes = names.map(
    (name) =>
      `SELECT '${name}' AS name, concat_ws(' ', count(*), sum(hashtextextended(t::text, 0))) AS hash FROM ${name} t`,
  );
  const rows = await query<{ name: string; hash: string }>(hashes.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
