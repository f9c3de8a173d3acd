import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { getEnv } from "~/env.server";
import { Prisma, PrismaClient } from "~/generated/prisma/client";
import { noteConnectionError, noteLostConnection } from "~/utils/database-away";
import { inStatementSpan, traceStatements } from "~/utils/trace-statements.server";
import { isTracing } from "~/utils/tracing.server";

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

/** Statements of one key, sent one after another on one connection without waiting for results. */
interface DirectPool {
  pool: pg.Pool;
  /** Whether its connections may keep statements. */
  keepsStatements: boolean;
}

/** The pools of the clients made here. */
const pools = new WeakMap<DatabaseOrTransaction, DirectPool>();

/**
 * A client with its own pool of at most `poolSize` connections for an explicit connection string
 * (commands, tests). Connects on first use. Whoever waits `waitMs` milliseconds for a connection
 * gets an error that `asAppError` knows; a transaction may be open as long.
 */
export function connectDb(connectionString: string, poolSize = 10, waitMs = 5_000): Database {
  // `?pgbouncer=true` is Prisma's convention for transaction-mode poolers.
  const keepsStatements = new URL(connectionString).searchParams.get("pgbouncer") !== "true";
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: waitMs,
    // Prisma writes times without their zone and drops the zone when reading. In a database with
    // another zone each time would be off by hours from `now()`. Set by a statement, because the
    // connection string could replace a start-up option, and some poolers refuse one.
    onConnect: async (connected) => {
      await connected.query("SET TIME ZONE 'UTC'");
    },
  });
  // The pool drops an idle connection that breaks, and the next statement of whoever holds one says that
  // it broke. Without listeners Node would end the process.
  pool.on("error", () => {});
  pool.on("connect", (connected) => connected.on("error", noteLostConnection));
  const adapter = notingStarts(
    new PrismaPg(pool, {
      disposeExternalPool: true,
      statementNameGenerator: keepsStatements ? statementName : undefined,
    }),
  );
  const created = new PrismaClient({
    adapter: isTracing() ? traceStatements(adapter) : adapter,
    // Milliseconds that a transaction waits for a connection: during a burst on one account the queue
    // can take longer than Prisma's default of 2 seconds.
    transactionOptions: { maxWait: 2 * waitMs, timeout: waitMs },
  });
  pools.set(created, { pool, keepsStatements });
  return created;
}

/** Prisma passes on what a transaction's first connection throws, an error like that of any other connection. */
function notingStarts(adapter: PrismaPg): PrismaPg {
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async () => {
    const connected = await connect();
    const start = connected.startTransaction.bind(connected);
    connected.startTransaction = (isolationLevel) =>
      start(isolationLevel).catch((error: unknown) => {
        throw noteConnectionError(error);
      });
    return connected;
  };
  return adapter;
}

/**
 * Runs a statement that each connection parses and plans once, under this name. Outside a transaction
 * it goes straight to node-postgres: Prisma's client takes five times as long for a short statement.
 * Values arrive as `$queryRaw` returns them: a bigint as `bigint`, a time as `Date`.
 *
 * Only for texts that never vary, since each connection keeps them: no `Prisma.join`, no condition in
 * the text. Throws if one name is used for two texts. Don't use it where a transaction sets the planner
 * (`SET LOCAL`): a kept plan belongs to the settings of the call that made it.
 */
export async function queryPrepared<Row>(
  name: string,
  statement: Prisma.Sql,
  db: DatabaseOrTransaction = getDb(),
): Promise<Row[]> {
  const direct = pools.get(db);
  if (!direct) return db.$queryRaw(Prisma.sql`${Prisma.raw(`-- prepared ${name}\n`)}${statement}`);
  const text = `-- prepared ${name}\n${statement.text}`;
  const unnamed = { text, values: statement.values, types: DIRECT_TYPES };
  const query = direct.keepsStatements ? { ...unnamed, name } : unnamed;
  const sent = inStatementSpan(text, () => direct.pool.query<object>(query));
  const { rows } = await sent.catch((error: unknown) => {
    throw noteConnectionError(error);
  });
  return rows as Row[];
}

/** Whether `db` is no transaction, so that each statement on it is one of its own. */
export function isOutsideTransaction(db: DatabaseOrTransaction): db is Database {
  return pools.has(db);
}

/** node-postgres returns a bigint as text. */
const DIRECT_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
};

/** The name of a statement that begins with `-- prepared <name>`, as those of `queryPrepared` do. */
function statementName({ sql }: { sql: string }): string {
  return /^-- prepared (\w+)/.exec(sql)?.[1] ?? "";
}

let client: Database | undefined;

/** The process's only database client. */
export function getDb(): Database {
  if (!client) {
    const { databaseUrl, databasePoolSize } = getEnv();
    client = connectDb(databaseUrl, databasePoolSize);
  }
  return client;
}

/** The connections of the process's own client, and how many statements wait for one. */
export function poolCounts(): { open: number; idle: number; waiting: number } {
  const pool = client && pools.get(client)?.pool;
  if (!pool) return { open: 0, idle: 0, waiting: 0 };
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool;
  return { open, idle, waiting };
}

/** Ends the pool; the next `getDb` opens a new one. */
export async function closeDb(): Promise<void> {
  const open = client;
  client = undefined;
  if (open) await disconnectDb(open);
}

/**
 * Ends a client and its pool. Prisma ends the pool only if it used it itself, and an idle connection of
 * `queryPrepared` would keep a command running for ten seconds.
 */
export async function disconnectDb(db: Database): Promise<void> {
  await db.$disconnect();
  const pool = pools.get(db)?.pool;
  if (pool && !pool.ending) await pool.end();
}
