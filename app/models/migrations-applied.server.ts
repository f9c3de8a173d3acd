import { readdir } from "node:fs/promises";
import { type DatabaseOrTransaction, getDb } from "~/db.server";

const MIGRATIONS_FOLDER = "prisma/migrations";
/** The migration runner's own pattern: editors and archives leave hidden files in the folder. */
const MIGRATION = /^[^.].*\.sql$/;

/**
 * Names of this code's migrations that the database has not applied. It queries the database, so it
 * also proves that the database responds; throws if not.
 */
export async function listPendingMigrations(
  db: DatabaseOrTransaction = getDb(),
): Promise<string[]> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => MIGRATION.test(name)).sort();
  const [tracker] = await db.$queryRaw<{ exists: boolean }[]>`
    SELECT to_regclass('app_migrations') IS NOT NULL AS exists`;
  if (!tracker?.exists) return names;
  const applied = await db.$queryRaw<{ name: string }[]>`SELECT name FROM app_migrations`;
  const known = new Set(applied.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}
