import { connectDb, type Database } from "~/db.server";
import { requireDatabaseUrl } from "./database-url";

/** Runs `work` on the database that the environment names, and closes the connections after it. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = connectDb(requireDatabaseUrl());
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}
