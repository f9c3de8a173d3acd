import type pg from "pg";
import type { MigrationFile } from "./migrations-folder";

export interface RecordedMigration {
  name: string;
  checksum: string;
  appliedAt: Date;
}

/**
 * Returns the records of `app_migrations`. Before the first migration it returns none and creates no
 * table.
 */
export async function listRecorded(client: pg.Client): Promise<RecordedMigration[]> {
  if (!(await hasTracker(client))) return [];
  const { rows } = await client.query<RecordedMigration>(
    `SELECT name, checksum, applied_at AS "appliedAt" FROM app_migrations`,
  );
  return rows;
}

/** Creates the table unless it exists. Only call it under the migration lock. */
export async function ensureTracker(client: pg.Client): Promise<void> {
  // Checking first works for a role that can't create tables, and avoids a notice on every run.
  if (await hasTracker(client)) return;
  await client.query(
    `CREATE TABLE app_migrations (
       name text PRIMARY KEY,
       checksum text NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT now()
     )`,
  );
}

async function hasTracker(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('app_migrations') IS NOT NULL AS found",
  );
  return rows[0]?.found === true;
}

/**
 * Records a file as applied. With `transaction` (from `currentTransaction`) only in that transaction:
 * returns false, and records nothing, if the file ended it and another one is open.
 */
export async function recordMigration(
  client: pg.Client,
  file: MigrationFile,
  transaction: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO app_migrations (name, checksum) SELECT $1, $2
     WHERE $3::text IS NULL OR pg_current_xact_id()::text = $3`,
    [file.name, file.checksum, transaction],
  );
  return rowCount === 1;
}

/** The id of the open transaction. */
export async function currentTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>("SELECT pg_current_xact_id()::text AS id");
  if (!rows[0]) throw new Error("the server gave no transaction id");
  return rows[0].id;
}
