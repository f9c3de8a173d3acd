import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { diffSchemas } from "./schema-engine";

interface GenerateOptions {
  /** Says what the migration does, in snake_case; ends its file name. */
  name: string;
  /** The path of schema.prisma. */
  schemaFile: string;
  /** The folder of the `.sql` files. Its `meta` holds the journal and the snapshot. */
  folder: string;
  /** A database that the schema engine can connect to; it reads and changes nothing there. */
  databaseUrl: string;
}

export type GenerateResult =
  | { status: "unchanged" }
  /** `file` is the path of the new migration; `drops` is true if it contains a DROP. */
  | { status: "generated"; file: string; drops: boolean };

interface Journal {
  entries: { idx: number; name: string; time: string }[];
}

/** The schema after the latest migration, in `meta`. Older ones are in Git. */
export const SNAPSHOT = "_snapshot.prisma";

/**
 * Writes the next migration from the changes in schema.prisma since the snapshot, adds a journal entry
 * and updates the snapshot. Writes nothing if the database wouldn't change.
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

  const idx = nextNumber(migrations);
  const number = String(idx).padStart(4, "0");
  const name = `${number}_${options.name}`;
  const file = path.join(options.folder, `${name}.sql`);
  await mkdir(meta, { recursive: true });
  // The SQL comes first: if a run is interrupted after it, the next run visibly repeats the change. If the
  // snapshot came first, the change would be lost.
  await writeFile(file, sql, { flag: "wx" });
  await writeFile(path.join(meta, SNAPSHOT), schema);
  await addToJournal(path.join(meta, "_journal.json"), { idx, name });
  return { status: "generated", file, drops: /^\s*DROP |\bDROP COLUMN\b/m.test(sql) };
}

/** Throws unless the name is snake_case, of at most 60 characters. */
export function requireMigrationName(name: string): void {
  if (name.length <= 60 && /^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) return;
  throw new Error(`'${name}' is not a migration name: write snake_case, like add_orders_status`);
}

async function listMigrations(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(unlessMissing<string[]>([]));
  return names.filter((name) => /^\d{4}_.*\.sql$/.test(name));
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

function nextNumber(names: string[]): number {
  const next = Math.max(0, ...names.map((name) => Number(name.slice(0, 4)))) + 1;
  if (next > 9999) throw new Error("the four digits of migration numbers are used up");
  return next;
}

/** The journal is for people: the files alone decide what is applied, and in which order. */
async function addToJournal(file: string, entry: { idx: number; name: string }): Promise<void> {
  const text = (await readIfThere(file)) ?? '{ "entries": [] }';
  const journal: Journal = JSON.parse(text);
  journal.entries.push({ ...entry, time: new Date().toISOString() });
  await writeFile(file, `${JSON.stringify(journal, null, 2)}\n`);
}
