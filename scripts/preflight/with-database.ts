import { connectDb, type Database } from "~/db.server";

/** Runs `work` on connections of its own to the database, and closes them after it. */
export async function withDatabase<T>(
  databaseUrl: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = connectDb(databaseUrl);
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}
