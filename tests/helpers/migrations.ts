import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { onTestFinished } from "vitest";
import { MigrationError } from "../../scripts/db/migration-error";

/** Creates a folder with these files (name → SQL), removed when the test ends. */
export async function createFolder(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) await writeFile(path.join(folder, name), sql);
  return folder;
}

/** Opens a session for this test, closed when the test ends. */
export async function openSession(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Returns the rows of one query: as arrays for several columns, as bare values for one. */
export async function select(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
    return rows.map((row) => (row.length === 1 ? row[0] : row));
  } finally {
    await client.end();
  }
}

export const listApplied = (databaseUrl: string) =>
  select(databaseUrl, `SELECT name FROM app_migrations ORDER BY name COLLATE "C"`);

/** Returns the table's name if it exists, or null. */
export async function findTable(databaseUrl: string, name: string): Promise<unknown> {
  return (await select(databaseUrl, `SELECT to_regclass('${name}')::text`))[0];
}

/** Returns the MigrationError that `work` rejects with; any other result fails the test. */
export async function faultOf(work: Promise<unknown>): Promise<MigrationError> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof MigrationError)) throw error;
  return error;
}
