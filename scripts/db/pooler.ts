import { randomBytes } from "node:crypto";
import pg from "pg";

/**
 * How the server shares its connections with this address: `none` if each session has a PostgreSQL
 * process of its own, `session` if a pooler lends it one for the whole session, `transaction` if for one
 * transaction at a time. Locks and settings of a session are lost or leaked with the last one.
 */
export type Pooling = "none" | "session" | "transaction";

export interface PoolingReading {
  pooling: Pooling;
  /** Whether statements that a session prepared are there in its next transaction. */
  keepsStatements: boolean;
}

/** A transaction-mode pooler shows itself in the first round, unless other clients interfere. */
const ROUNDS = 3;
const TIMEOUT_MS = 10_000;
const DUPLICATE_STATEMENT = "42P05";
const UNKNOWN_STATEMENT = "26000";

/** Completes a sentence that begins with the variable's name. */
export const LOSES_STATEMENTS =
  "leads through a pooler in transaction mode that loses prepared statements: add pgbouncer=true to it (docs/more-than-one-process.md)";

/** Prisma's convention: behind this parameter no statement is prepared. False for what is no address. */
export function expectsPooler(databaseUrl: string): boolean {
  return URL.canParse(databaseUrl) && new URL(databaseUrl).searchParams.get("pgbouncer") === "true";
}

/** Finds out whether a pooler is in between, with two short sessions of its own. Throws if it can't connect. */
export async function readPooling(databaseUrl: string): Promise<PoolingReading> {
  const first = await connect(databaseUrl);
  try {
    if (!(await isBehindPooler(first))) return { pooling: "none", keepsStatements: true };
    for (let round = 0; round < ROUNDS; round += 1) {
      const second = await connect(databaseUrl);
      try {
        const found = await compareSessions(first, second);
        if (found) return found;
      } finally {
        await end(second);
      }
    }
    return { pooling: "session", keepsStatements: true };
  } finally {
    await end(first);
  }
}

/**
 * Whether the process that PostgreSQL announced at sign-in is another one than the one that runs the
 * statements. Poolers announce a number of their own, with which they recognise a cancellation.
 */
async function isBehindPooler(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid !== (client as pg.Client & { processID: number | null }).processID;
}

/**
 * Lets the first session go idle and the second one hold a process. In transaction mode the second gets
 * the first one's, or the first gets another one afterwards. Returns null if neither happened.
 */
async function compareSessions(
  first: pg.Client,
  second: pg.Client,
): Promise<PoolingReading | null> {
  const name = `probe_${randomBytes(6).toString("hex")}`;
  const before = await askPrepared(first, name);
  // The pool may be empty, which shows nothing.
  const began = await second.query("BEGIN; SAVEPOINT probe").catch(() => null);
  if (!began) return null;
  const other = await askPrepared(second, name);
  if (other === "duplicate") {
    // The statement is in a process that goes back to the pool.
    await second.query(`ROLLBACK TO SAVEPOINT probe; DEALLOCATE ${name}; COMMIT`);
    return { pooling: "transaction", keepsStatements: false };
  }
  if (other === before) return { pooling: "transaction", keepsStatements: true };
  const after = await askPrepared(first, name);
  if (after === "unknown") return { pooling: "transaction", keepsStatements: false };
  return after === before ? null : { pooling: "transaction", keepsStatements: true };
}

/** Returns the number of the PostgreSQL process that ran a named statement, or why none did. */
async function askPrepared(
  client: pg.Client,
  name: string,
): Promise<number | "duplicate" | "unknown"> {
  try {
    const text = "SELECT pg_backend_pid() AS pid";
    const { rows } = await client.query<{ pid: number }>({ name, text });
    return rows[0]?.pid ?? 0;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === DUPLICATE_STATEMENT) return "duplicate";
    if (code === UNKNOWN_STATEMENT) return "unknown";
    throw error;
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "pooler probe",
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A lost connection rejects the running query; without a listener it would also crash the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** A session that waits for a process can't say goodbye in order. */
async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
