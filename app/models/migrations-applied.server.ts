import { readdir } from "node:fs/promises";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

const MIGRATIONS_FOLDER = "prisma/migrations";
/** The migration runner's own pattern: editors and archives leave hidden files in the folder. */
const MIGRATION = /^[^.].*\.sql$/;

let expected: Promise<string[]> | undefined;

/** This code's migrations, as they were when it was first asked: the folder may be the next version's while this one runs. */
function listExpected(): Promise<string[]> {
  expected ??= readdir(MIGRATIONS_FOLDER).then((names) =>
    names.filter((name) => MIGRATION.test(name)).sort(),
  );
  return expected;
}

/** Lists this code's migrations now, for a process that will be asked much later. Without the folder, readiness says so. */
export async function noteMigrations(): Promise<void> {
  await listExpected().catch(() => {
    expected = undefined;
  });
}

/**
 * Names of this code's migrations that the database has not applied. It queries the database, so it
 * also proves that the database responds; throws if not.
 */
export async function listPendingMigrations(
  db: DatabaseOrTransaction = getDb(),
): Promise<string[]> {
  const names = await listExpected();
  const [tracker] = await queryPrepared<{ exists: boolean }>(
    "has_app_migrations",
    Prisma.sql`SELECT to_regclass('app_migrations') IS NOT NULL AS exists`,
    db,
  );
  if (!tracker?.exists) return names;
  const applied = await queryPrepared<{ name: string }>(
    "app_migrations",
    Prisma.sql`SELECT name FROM app_migrations`,
    db,
  );
  const known = new Set(applied.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}
