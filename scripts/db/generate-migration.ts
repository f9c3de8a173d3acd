import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { isMigrationName } from "./migrations-folder";
import { diffSchemas } from "./schema-engine";

interface GenerateOptions {
  /** Says what the migration does, in snake_case; ends its file name. */
  name: string;
  /** The path of schema.prisma. */
  schemaFile: string;
  /** The folder of the `.sql` files. Its `meta` holds the snapshot. */
  folder: string;
  /** A database that the schema engine can connect to; it reads and changes nothing there. */
  databaseUrl: string;
}

export type GenerateResult =
  | { status: "unchanged" }
  /** `file` is the path of the new migration; `drops` is true if it contains a DROP. */
  | { status: "generated"; file: string; drops: boolean };

/** The schema after the latest migration, in `meta`. Older ones are in Git. */
export const SNAPSHOT = "_snapshot.prisma";

/**
 * Writes the next migration from the changes in schema.prisma since the snapshot, and updates the
 * snapshot. Writes nothing if the database wouldn't change.
 */
export async function generateMigration(options: GenerateOptions): Promise<GenerateResult> {
  requireMigrationName(options.name);
  const meta = path.join(options.folder, "meta");
  const [schema, from, migrations] = await Promise.all([
    readFile(options.schemaFile, "utf8"),
    readIfThere(path.join(meta, SNAPSHOT)),
    listMigrations(options.folder),
  ]);
  if (from === null && migrations.length > 0) {
    throw new Error(`${meta} has no snapshot to compare with: bring it back from version control`);
  }
  const sql = await diffSchemas(options.databaseUrl, { from, to: schema });
  if (sql === null) return { status: "unchanged" };

  const name = `${nextTime(migrations)}_${options.name}`;
  const file = path.join(options.folder, `${name}.sql`);
  await mkdir(meta, { recursive: true });
  // The SQL comes first: if a run is interrupted after it, the next run visibly repeats the change. If the
  // snapshot came first, the change would be lost.
  await writeFile(file, sql, { flag: "wx" });
  await writeFile(path.join(meta, SNAPSHOT), schema);
  return { status: "generated", file, drops: /^\s*DROP |\bDROP COLUMN\b/m.test(sql) };
}

/** Throws unless the name is snake_case, of at most 60 characters. */
export function requireMigrationName(name: string): void {
  if (name.length <= 60 && /^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) return;
  throw new Error(`'${name}' is not a migration name: write snake_case, like add_orders_status`);
}

async function listMigrations(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(unlessMissing<string[]>([]));
  return names.filter(isMigrationName);
}

function readIfThere(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(unlessMissing(null));
}

/** For `catch`: returns the default if the file or folder doesn't exist. Rethrows other errors. */
function unlessMissing<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return otherwise;
    throw error;
  };
}

/**
 * Returns the time that a new migration's name begins with, like 20261125093012 in UTC. Numbers would
 * collide when two branches, or a product and the starter, count on from the same one. It is later than
 * that of every existing file, whatever the clock says: the new file may build on them.
 */
export function nextTime(names: string[], now = new Date()): string {
  const newest = names.map(timeOf).reduce((a, b) => Math.max(a, b), 0);
  const time = new Date(Math.max(now.getTime(), newest + 1000));
  return time.toISOString().slice(0, 19).replace(/\D/g, "");
}

/** In milliseconds; 0 if the name begins with no time. */
function timeOf(name: string): number {
  const [, date, hour, minute, second] = /^(\d{8})(\d\d)(\d\d)(\d\d)_/.exec(name) ?? [];
  if (date === undefined) return 0;
  const day = date.replace(/(....)(..)(..)/, "$1-$2-$3");
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`) || 0;
}
