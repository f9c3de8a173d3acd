import { connectDb, type Database } from "~/db.server";
import { requireDatabaseUrl } from "../lib/database-url";

/** Runs `work` on the database that the environment names, and closes the connections after it. */
export async function withLedger<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = connectDb(requireDatabaseUrl());
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

/** The id of the user with this address, in any case. Throws if there is none. */
export async function requireUserId(email: string, db: Database): Promise<string> {
  const user = await db.user.findUnique({
    where: { email: email.toLowerCase() },
    select: { id: true },
  });
  if (!user) throw new Error(`nobody has the address ${email}`);
  return user.id;
}
