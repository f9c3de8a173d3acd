import { withConnection } from "./connect";
import { compareBytes, type MigrationFile, readMigrations } from "./migrations-folder";
import { listRecorded, type RecordedMigration } from "./tracker-table";

/** Lists are in the byte order of the names. A name is in only one of the first four. */
export interface MigrationStatus {
  applied: RecordedMigration[];
  pending: MigrationFile[];
  /** Applied and edited later. */
  changed: RecordedMigration[];
  /** Applied and missing from the folder. */
  missing: RecordedMigration[];
  /** The files of `pending` that sort before the last applied one. */
  outOfOrder: MigrationFile[];
  lastApplied: string | null;
}

/** Reads folder and database without changing either. Throws MigrationError. */
export async function getMigrationStatus(databaseUrl: string, folder: string) {
  const files = await readMigrations(folder);
  return compareMigrations(files, await withConnection(databaseUrl, listRecorded));
}

/** Compares the folder's files with a database's records. */
export function compareMigrations(
  files: MigrationFile[],
  recorded: RecordedMigration[],
): MigrationStatus {
  const inOrder = recorded.toSorted((a, b) => compareBytes(a.name, b.name));
  const fileOf = new Map(files.map((file) => [file.name, file]));
  const recordedNames = new Set(recorded.map(({ name }) => name));
  const lastApplied = inOrder.at(-1)?.name ?? null;
  const pending = files.filter(({ name }) => !recordedNames.has(name));
  return {
    applied: inOrder.filter(({ name, checksum }) => fileOf.get(name)?.checksum === checksum),
    pending,
    changed: inOrder.filter(({ name, checksum }) => {
      const file = fileOf.get(name);
      return file !== undefined && file.checksum !== checksum;
    }),
    missing: inOrder.filter(({ name }) => !fileOf.has(name)),
    outOfOrder: pending.filter(
      ({ name }) => lastApplied !== null && compareBytes(name, lastApplied) < 0,
    ),
    lastApplied,
  };
}
