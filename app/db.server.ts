import { PrismaPg } from "@prisma/adapter-pg";
import { getEnv } from "~/env.server";
import { type Prisma, PrismaClient } from "~/generated/prisma/client";

/** What model functions take as their last argument, so that a caller can put them in a transaction. */
export type DatabaseOrTransaction = PrismaClient | Prisma.TransactionClient;

let client: PrismaClient | undefined;

/** The process's one database client, connected on first use. */
export function getDb(): PrismaClient {
  client ??= new PrismaClient({
    adapter: new PrismaPg({ connectionString: getEnv().databaseUrl, max: 10 }),
  });
  return client;
}

/** Ends the pool; the next `getDb` opens a new one. */
export async function closeDb(): Promise<void> {
  const open = client;
  client = undefined;
  await open?.$disconnect();
}
