import { connectDb, type Database } from "~/db.server";
import { requireDatabaseUrl } from "./database-url";

/**
 * Runs `work` on connections of its own and closes them afterwards. The database is the one in the
 * environment unless a URL is given.
 */
export async function withDatabase<T>(
  work: (db: Database) => Promise<T>,
  databaseUrl = requireDatabaseUrl(),
): Promise<T> {
  const db = connectDb(databaseUrl);
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}
