import { PrismaPg } from "@prisma/adapter-pg";
import { getEnv } from "~/env.server";
import { type Prisma, PrismaClient } from "~/generated/prisma/client";

export type Database = PrismaClient;

/**
 * A client inside a transaction. The type refuses a plain client, so that a lock cannot be taken
 * outside a transaction. `$transaction` on it is a savepoint: a failure inside is undone alone, and
 * locks are kept.
 */
export type Transaction = Prisma.TransactionClient & { readonly $disconnect?: never };

/** The last argument of most model functions, so that callers can run them in a transaction. */
export type DatabaseOrTransaction = Database | Transaction;

/** A time in PostgreSQL's format, which keeps the microseconds that a `Date` would lose. */
export type DatabaseTime = string;

/** A client with its own pool for an explicit connection string (commands, tests). Connects on first use. */
export function connectDb(connectionString: string): Database {
  // `?pgbouncer=true` is Prisma's convention for transaction-mode poolers.
  const keepsNoStatements = new URL(connectionString).searchParams.get("pgbouncer") === "true";
  const statementNameGenerator = keepsNoStatements ? undefined : statementName;
  return new PrismaClient({
    adapter: new PrismaPg(
      {
        connectionString,
        max: 10,
        connectionTimeoutMillis: 5_000,
        // Prisma writes times without their zone and drops the zone when reading. In a database with
        // another zone each time would be off by hours from `now()`. Set by a statement, because the
        // connection string could replace a start-up option, and some poolers refuse one.
        onConnect: async (connected) => {
          await connected.query("SET TIME ZONE 'UTC'");
        },
      },
      { statementNameGenerator },
    ),
    // Milliseconds that a transaction waits for a connection: during a burst on one account the queue
    // can take longer than Prisma's default of 2 seconds.
    transactionOptions: { maxWait: 10_000 },
  });
}

/**
 * The name of a statement that begins with `-- prepared <name>`. Such a statement is parsed and planned
 * once per connection. Use it for the few statements whose planning takes as long as their work, and
 * never for varying text, since each text is kept.
 */
function statementName({ sql }: { sql: string }): string {
  return /^\s*-- prepared (\w+)/.exec(sql)?.[1] ?? "";
}

let client: Database | undefined;

/** The process's only database client. */
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
