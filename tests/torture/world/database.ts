import { appendFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { migrateDatabase } from "../../../scripts/db/migrate";
import { type RunningPostgres, startPostgres } from "../../../scripts/lib/embedded-postgres";

const NAME = "torture";

/**
 * A commit survives a killed server, which a commit without WAL would not. Nobody cuts the machine's power,
 * so nothing waits for the disk.
 */
const SETTINGS = { fsync: "off", full_page_writes: "off", shared_buffers: "256MB" };

export type Row = Record<string, unknown>;

export interface TortureDatabase {
  url: string;
  sql<Found extends Row>(text: string, values?: unknown[]): Promise<Found[]>;
  /** Ends it, and starts it again on the same port after so many milliseconds. */
  interrupt(milliseconds: number): Promise<void>;
  /** Ends this share of the servers' connections. */
  terminate(share: number): Promise<number>;
  /** Moves its clock by so many milliseconds in all, and waits until every new statement sees it. */
  setClock(moved: number): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL of its own, with a database whose clock can be moved. */
export async function openDatabase(folder: string): Promise<TortureDatabase> {
  const dataDir = path.join(folder, "postgres");
  let postgres = await startPostgres({ dataDir, settings: SETTINGS, ownSignals: true });
  const { port } = postgres;
  const url = postgres.url(NAME);
  let pool = await prepare(postgres).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  const { rows } = await pool.query<{ config_file: string }>("SHOW config_file");
  const config = rows[0]?.config_file ?? "";
  const leaving = new AbortController();
  let interruption: Promise<void> | null = null;

  async function stopFor(milliseconds: number): Promise<void> {
    await pool.end();
    await postgres.stop();
    await pause(milliseconds, undefined, { signal: leaving.signal });
    postgres = await startPostgres({
      ...{ dataDir, settings: SETTINGS, preferredPort: port, ownSignals: true },
    });
    if (postgres.port !== port) throw new Error(`the database's port ${port} was taken meanwhile`);
    pool = await openPool(url);
  }

  return {
    url,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async interrupt(milliseconds) {
      await interruption?.catch(() => undefined);
      interruption = stopFor(milliseconds);
      return interruption;
    },
    async terminate(share) {
      await interruption?.catch(() => undefined);
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = $1 AND pid <> pg_backend_pid() AND random() < $2`,
        [NAME, share],
      );
      return rowCount ?? 0;
    },
    async setClock(moved) {
      await appendFile(config, `torture.moved = '${moved}'\n`);
      await pool.query("SELECT pg_reload_conf()");
      for (;;) {
        const { rows } = await pool.query("SELECT current_setting('torture.moved', true) AS moved");
        if (rows[0]?.moved === String(moved)) break;
        await pause(20);
      }
      // Each connection reads its settings anew before its next statement; the signal takes a moment.
      await pause(100);
    },
    async stop() {
      leaving.abort();
      // One that was under way has ended the pool, and maybe the server.
      await interruption?.catch(() => undefined);
      if (!pool.ended) await pool.end();
      await postgres.stop();
    },
  };
}

/** Makes the database with its moved clock. */
async function prepare(postgres: RunningPostgres): Promise<pg.Pool> {
  const url = postgres.url(NAME);
  await postgres.createDatabase(NAME);
  await installClock(postgres);
  await migrateDatabase({ databaseUrl: url, folder: "prisma/migrations" });
  const pool = await openPool(url);
  await moveDefaults(pool);
  await pool.query(JOBS_CLOCK);
  await pool.query(REFUSALS);
  return pool;
}

async function openPool(url: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on("error", () => undefined);
  await pool.query("SELECT 1");
  return pool;
}

const CLOCKS = ["now", "statement_timestamp", "clock_timestamp", "transaction_timestamp"];

/** Functions that come before PostgreSQL's own in the search path, so that the same statements read the moved time. */
async function installClock(postgres: RunningPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url(NAME) });
  await client.connect();
  try {
    for (const name of CLOCKS)
      await client.query(
        `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
         $$ SELECT pg_catalog.${name}() + coalesce(current_setting('torture.moved', true), '0')::float8 * interval '1 millisecond' $$`,
      );
    await client.query(`ALTER DATABASE ${NAME} SET search_path = public, pg_catalog`);
  } finally {
    await client.end();
  }
}

/** The jobs' engine names PostgreSQL's own clock, in one function. */
const JOBS_CLOCK = `CREATE OR REPLACE FUNCTION pgboss.job_now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT public.now() $$`;

/** Deliveries whose effects are refused at the end of their transaction, by their key. */
const REFUSALS = `
  CREATE SCHEMA torture;
  CREATE TABLE torture.refused (delivery text PRIMARY KEY);
  CREATE FUNCTION torture.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM torture.refused WHERE delivery = NEW.dedupe_key) THEN
      RAISE EXCEPTION 'torture refuses this delivery';
    END IF;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER torture_refuse AFTER UPDATE ON webhook_inbox DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.status = 'processed') EXECUTE FUNCTION torture.refuse()`;

/** `CURRENT_TIMESTAMP` is a word and no function: defaults that use it would stay in the real time. */
async function moveDefaults(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ place: string; name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS place, column_name AS name
     FROM information_schema.columns
     WHERE column_default = 'CURRENT_TIMESTAMP' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  for (const { place, name } of rows)
    await pool.query(
      `ALTER TABLE ${place} ALTER COLUMN ${pg.escapeIdentifier(name)} SET DEFAULT public.now()`,
    );
}
