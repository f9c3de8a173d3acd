import type pg from "pg";
import { acquireMigrationLock } from "./advisory-lock";
import { describeSchema } from "./catalog";
import { withConnection } from "./connect";
import { MigrationError } from "./migration-error";
import { type MigrationFile, readMigrations } from "./migrations-folder";
import { requireDirect } from "./require-direct";
import { describeFilesIn, withScratchDatabase } from "./scratch-database";
import { splitStatements } from "./sql-statements";
import { ensureTracker, listRecorded, recordMigration } from "./tracker-table";

interface BaselineOptions {
  databaseUrl: string;
  /** The folder of the `.sql` files. */
  folder: string;
  /** Name of the last file already in the database, with or without `.sql`. */
  upTo: string;
  /** An empty database on the same server to compare with; by default one is created and dropped. */
  scratch?: string | undefined;
  /** Compare without recording. */
  dryRun?: boolean | undefined;
  /** Milliseconds to wait for another runner on the same database. */
  lockWaitMs: number;
  onProgress: (line: string) => void;
}

/**
 * Records the files up to `upTo` as applied without running them, for a database created without the
 * runner. Its schema must equal, line by line, the schema of those files in an empty database. Otherwise
 * it reports every difference, records nothing and throws MigrationError `baseline`. Returns the names
 * recorded, or with `dryRun` those that would be.
 */
export async function baselineDatabase(options: BaselineOptions): Promise<string[]> {
  const files = filesUpTo(await readMigrations(options.folder), options.upTo);
  await requireDirect(options.databaseUrl);
  return withConnection(options.databaseUrl, async (client) => {
    await acquireMigrationLock(client, {
      waitMs: options.lockWaitMs,
      onWait: (holder) => options.onProgress(`waiting for another migration run (${holder})`),
    });
    await refuseRecorded(client);
    await compare(client, files, options);
    if (!options.dryRun) await recordAll(client, files);
    return files.map(({ name }) => name);
  });
}

function filesUpTo(files: MigrationFile[], upTo: string): MigrationFile[] {
  const at = files.findIndex(({ name }) => name === upTo || name === `${upTo}.sql`);
  if (at >= 0) return files.slice(0, at + 1);
  throw new MigrationError("file", `there is no migration '${upTo}': name one file of the folder`);
}

async function refuseRecorded(client: pg.Client): Promise<void> {
  const recorded = await listRecorded(client);
  if (recorded.length === 0) return;
  const message = `the database has a record of ${recorded.length} migrations already: db:migrate continues from there`;
  throw new MigrationError("baseline", message);
}

async function compare(
  client: pg.Client,
  files: MigrationFile[],
  { databaseUrl, scratch, onProgress }: BaselineOptions,
): Promise<void> {
  const found = await describeSchema(client);
  onProgress(`comparing the database with what ${files.length} files give`);
  const expected = await withScratchDatabase({ client, databaseUrl, scratch }, (url) =>
    describeFilesIn(url, files),
  );
  const differences = [
    ...without(expected, found).map((line) => `missing here:  ${line}`),
    ...without(found, expected).map((line) => `only here:     ${line}`),
  ];
  for (const line of differences) onProgress(line);
  if (differences.length > 0) {
    const message = `the database is not what the files up to ${files.at(-1)?.name} give (${differences.length} differences): nothing was recorded`;
    throw new MigrationError("baseline", message);
  }
  const writing = files.filter(writesRows).map(({ name }) => name);
  if (writing.length > 0) {
    onProgress(`warning: only the schema was compared, and ${writing.join(", ")} also write rows`);
  }
}

function without(lines: string[], others: string[]): string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}

const writesRows = ({ sql }: MigrationFile) =>
  splitStatements(sql).some(({ text }) => /^(insert|update|delete|merge|copy|do)\b/i.test(text));

/** All or none: the next run would take half a history for a complete one. */
async function recordAll(client: pg.Client, files: MigrationFile[]): Promise<void> {
  await client.query("BEGIN");
  try {
    await ensureTracker(client);
    for (const file of files) await recordMigration(client, file, null);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await client.query("COMMIT");
}
