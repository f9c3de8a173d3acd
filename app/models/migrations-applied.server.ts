import { readdir } from "node:fs/promises";
import { type DatabaseOrTransaction, getDb } from "~/db.server";

const MIGRATIONS_FOLDER = "prisma/migrations";
/** What the migration runner takes for one: editors and archives leave hidden files beside them. */
const MIGRATION = /^[^.].*\.sql$/;

/**
 * Names of the migrations that this code comes with and the database has not had. Asks the
 * database, so it also tells that it answers; throws where it does not.
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
