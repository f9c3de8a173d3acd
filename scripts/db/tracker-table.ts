import pg from "pg";
import type { MigrationFile } from "./migrations-folder";

export interface RecordedMigration {
  name: string;
  checksum: string;
  appliedAt: Date;
}

/** The quoted, schema-qualified name of `app_migrations`: a migration may change the search path. */
export type TrackerTable = string;

/** The table as the session finds it, or null before the first migration. Changes nothing. */
export async function findTracker(client: pg.Client): Promise<TrackerTable | null> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT n.nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid = to_regclass('app_migrations')`,
  );
  return rows[0] ? qualify(rows[0].schema) : null;
}

/** Creates the table where the session creates tables. Only under the migration lock. */
export async function createTracker(client: pg.Client): Promise<TrackerTable> {
  await client.query(
    `CREATE TABLE app_migrations (
       name text PRIMARY KEY,
       checksum text NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT now()
     )`,
  );
  const tracker = await findTracker(client);
  if (!tracker) throw new Error("app_migrations was created and is not on the search path");
  return tracker;
}

export async function listRecorded(
  client: pg.Client,
  tracker: TrackerTable | null,
): Promise<RecordedMigration[]> {
  if (!tracker) return [];
  const { rows } = await client.query<RecordedMigration>(
    `SELECT name, checksum, applied_at AS "appliedAt" FROM ${tracker}`,
  );
  return rows;
}

/**
 * Records a file as applied. With `transaction` (from `currentTransaction`) it does so in that
 * transaction only: false, and nothing recorded, when the file ended it and another one is open now.
 */
export async function recordMigration(
  client: pg.Client,
  tracker: TrackerTable,
  file: MigrationFile,
  transaction: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO ${tracker} (name, checksum) SELECT $1, $2
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

const qualify = (schema: string) => `${pg.escapeIdentifier(schema)}.app_migrations`;
