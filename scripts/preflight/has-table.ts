import type pg from "pg";

/** Whether the table exists; it may not before the migration that creates it. */
export async function hasTable(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS found",
    [table],
  );
  return rows[0]?.found === true;
}
