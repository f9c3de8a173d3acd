import { connectDb, type Database, disconnectDb } from "~/db.server";
import { requireDatabaseUrl } from "./database-url";

/**
 * Runs `work` with its own connections and closes them afterwards. Uses the environment's database
 * unless a URL is given.
 */
export async function withDatabase<T>(
  work: (db: Database) => Promise<T>,
  databaseUrl = requireDatabaseUrl(),
): Promise<T> {
  const db = connectDb(databaseUrl);
  try {
    return await work(db);
  } finally {
    await disconnectDb(db);
  }
}
