import type { Database } from "~/db.server";
import { withDatabase } from "../lib/with-database";

/** Writes a row into a database's audit log, if it has one: an older schema has none. */
export function inAuditLog(
  databaseUrl: string,
  write: (db: Database) => Promise<void>,
): Promise<void> {
  return withDatabase(async (db) => {
    const [row] = await db.$queryRaw<{ isThere: boolean }[]>`
      SELECT to_regclass('audit_log') IS NOT NULL AS "isThere"`;
    if (row?.isThere) await write(db);
  }, databaseUrl);
}
