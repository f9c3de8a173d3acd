import { PrismaPg } from "@prisma/adapter-pg";
import { getEnv } from "~/env.server";
import { type Prisma, PrismaClient } from "~/generated/prisma/client";

export type Database = PrismaClient;

/**
 * A client inside a transaction. A plain client is refused, so that a lock cannot be taken outside
 * one. `$transaction` on it is a savepoint: what fails inside is undone alone, and locks are kept.
 */
export type Transaction = Prisma.TransactionClient & { readonly $disconnect?: never };

/** The last argument of most model functions, so that a caller can put them in a transaction. */
export type DatabaseOrTransaction = Database | Transaction;

/** A time as PostgreSQL writes it, which keeps the microseconds that a `Date` would lose. */
export type DatabaseTime = string;

/** A client with a pool of its own, connected on first use: for whoever knows their database. */
export function connectDb(connectionString: string): Database {
  // What Prisma's users say of a pooler that hands each transaction to another connection.
  const keepsNoStatements = new URL(connectionString).searchParams.get("pgbouncer") === "true";
  const statementNameGenerator = keepsNoStatements ? undefined : statementName;
  return new PrismaClient({
    adapter: new PrismaPg(
      {
        connectionString,
        max: 10,
        connectionTimeoutMillis: 5_000,
        // Prisma writes times without their zone and drops it when it reads them: in a database whose
        // zone is another, each would be off by hours from what `now()` says. A statement rather than
        // a start-up option, which the connection string could replace and some poolers refuse.
        onConnect: async (connected) => {
          await connected.query("SET TIME ZONE 'UTC'");
        },
      },
      { statementNameGenerator },
    ),
    // Milliseconds that a transaction waits for a connection: a burst on one account may take turns
    // for longer than the 2 seconds that Prisma allows.
    transactionOptions: { maxWait: 10_000 },
  });
}

/**
 * A statement that begins with `-- prepared <name>` is parsed and planned once a connection. For the
 * few whose planning takes as long as their work; none whose text varies, since each text is kept.
 */
function statementName({ sql }: { sql: string }): string {
  return /^\s*-- prepared (\w+)/.exec(sql)?.[1] ?? "";
}

let client: Database | undefined;

/** The process's one database client. */
export function getDb(): Database {
  client ??= connectDb(getEnv().databaseUrl);
  return client;
}

/** Ends the pool; the next `getDb` opens a new one. */
export async function closeDb(): Promise<void> {
  const open = client;
  client = undefined;
  await open?.$disconnect();
}
