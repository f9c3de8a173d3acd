import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { compareBytes } from "./migrations-folder";
import { diffSchemas } from "./schema-engine";

interface GenerateOptions {
  /** What the migration does, in snake_case: the end of its file name. */
  name: string;
  /** The path of schema.prisma. */
  schemaFile: string;
  /** The folder of the `.sql` files; its `meta` holds the journal and the snapshots. */
  folder: string;
  /** A database that the schema engine may connect to; nothing is read from it or changed. */
  databaseUrl: string;
}

export type GenerateResult =
  | { status: "unchanged" }
  /** `file` is the path of the new migration; `drops` when it contains a DROP. */
  | { status: "generated"; file: string; drops: boolean };

interface Journal {
  entries: { idx: number; name: string; time: string }[];
}

/**
 * Writes the next migration from what changed in schema.prisma since the newest snapshot, with its
 * own snapshot and journal entry. Writes nothing when the database would not change.
 */
export async function generateMigration(options: GenerateOptions): Promise<GenerateResult> {
  requireMigrationName(options.name);
  const meta = path.join(options.folder, "meta");
  const [schema, migrations, metaFiles] = await Promise.all([
    readFile(options.schemaFile, "utf8"),
    listNames(options.folder, /^\d{4}_.*\.sql$/),
    listNames(meta, /^\d{4}_snapshot\.prisma$/),
  ]);
  const newest = metaFiles.at(-1);
  if (!newest && migrations.length > 0) {
    throw new Error(`${meta} has no snapshot to compare with: bring it back from version control`);
  }
  const from = newest ? await readFile(path.join(meta, newest), "utf8") : null;
  const sql = await diffSchemas(options.databaseUrl, { from, to: schema });
  if (sql === null) return { status: "unchanged" };

  const idx = nextNumber([...migrations, ...metaFiles]);
  const number = String(idx).padStart(4, "0");
  const name = `${number}_${options.name}`;
  const file = path.join(options.folder, `${name}.sql`);
  await mkdir(meta, { recursive: true });
  // The SQL first: cut off after it, the next run repeats the change in plain sight. Cut off after
  // the snapshot alone, it would never be written.
  await writeFile(file, sql, { flag: "wx" });
  await writeFile(path.join(meta, `${number}_snapshot.prisma`), schema, { flag: "wx" });
  await addToJournal(path.join(meta, "_journal.json"), { idx, name });
  return { status: "generated", file, drops: /^\s*DROP |\bDROP COLUMN\b/m.test(sql) };
}

/** Throws unless the name is snake_case, of at most 60 characters. */
export function requireMigrationName(name: string): void {
  if (name.length <= 60 && /^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) return;
  throw new Error(`'${name}' is no name for a migration: write snake_case, like add_orders_status`);
}

async function listNames(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name)).sort(compareBytes);
}

function nextNumber(names: string[]): number {
  const next = Math.max(0, ...names.map((name) => Number(name.slice(0, 4)))) + 1;
  if (next > 9999) throw new Error("the four digits of migration numbers are used up");
  return next;
}

/** History for people: what is applied, and in which order, is decided by the files alone. */
async function addToJournal(file: string, entry: { idx: number; name: string }): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return '{ "entries": [] }';
    throw error;
  });
  const journal: Journal = JSON.parse(text);
  journal.entries.push({ ...entry, time: new Date().toISOString() });
  await writeFile(file, `${JSON.stringify(journal, null, 2)}\n`);
}
