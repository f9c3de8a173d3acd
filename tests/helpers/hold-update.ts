import pg from "pg";
import { onTestFinished } from "vitest";

interface HeldUpdate {
  /** Resolves once a statement waits. */
  reached(): Promise<void>;
  /** Lets it go on. Without its process it still ends. */
  release(): Promise<void>;
  /** Ends it without effect, as if its process had died before it was sent. */
  undo(): Promise<void>;
}

/**
 * Holds each statement that writes this column of a run, or of another table, until it is released; with `when`, an SQL condition on the row,
 * only those. For one test at a time.
 */
export async function holdUpdate(
  databaseUrl: string,
  column: string,
  table: "metered_runs" | "top_ups" | "subscriptions" = "metered_runs",
  when = `NEW.${column} IS NOT NULL`,
): Promise<HeldUpdate> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    CREATE OR REPLACE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$;
    SELECT pg_advisory_lock(4711);
    CREATE OR REPLACE TRIGGER held BEFORE UPDATE OF ${column} ON ${table}
    FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION held()`);
  const waiting = `FROM pg_stat_activity
    WHERE wait_event = 'advisory' AND datname = current_database()`;
  let isHeld = true;

  async function release(): Promise<void> {
    if (!isHeld) return;
    isHeld = false;
    await client.query("SELECT pg_advisory_unlock(4711)");
    await client.query(`DROP TRIGGER held ON ${table}`);
    await client.end();
  }
  onTestFinished(release);
  return {
    async reached() {
      for (;;) {
        const { rowCount } = await client.query(`SELECT 1 ${waiting}`);
        if (rowCount) return;
      }
    },
    release,
    async undo() {
      await client.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
      await release();
    },
  };
}
