import pg from "pg";
import { onTestFinished } from "vitest";
import { closeDb, connectDb, type Database } from "~/db.server";
import { forgetEnv, parseEnv } from "~/env.server";
import type { JobHandlers } from "~/server/background/job-handlers.server";
import { JOB_HANDLERS } from "~/server/background/job-handlers.server";
import { type JobWorker, startJobWorker } from "~/server/background/job-worker.server";
import { createTestDatabase } from "./test-database";
import { TEST_AUTH_SECRET } from "./test-server";

export interface JobRow {
  id: string;
  state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  attempts: number;
  output: { message?: string } | null;
}

export interface JobWorld {
  db: Database;
  databaseUrl: string;
  sql: <Row>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** Jobs of this kind, oldest first. */
  jobs(name: string): Promise<JobRow[]>;
  /** Starts a worker in this process, that ends with the test. */
  startWorker(handlers: Partial<JobHandlers>, env?: Record<string, string>): JobWorker;
}

/** A database of the test's own, with workers in the test's process. */
export async function createJobWorld(databaseUrl?: string): Promise<JobWorld> {
  const url = databaseUrl ?? (await createTestDatabase());
  process.env.DATABASE_URL = url;
  process.env.AUTH_SECRET = TEST_AUTH_SECRET;
  process.env.NEXT_PUBLIC_SITE_URL = "http://localhost:3000";
  forgetEnv();
  await closeDb();
  const db = connectDb(url, 5);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const workers = new Set<JobWorker>();
  onTestFinished(async () => {
    for (const worker of workers) worker.beginStopping();
    for (const worker of workers) await worker.end(1_000);
    await pool.end();
    await db.$disconnect();
    await closeDb();
  });
  const sql = async <Row>(text: string, values?: unknown[]) =>
    (await pool.query(text, values)).rows as Row[];
  return {
    db,
    databaseUrl: url,
    sql,
    jobs: (name) =>
      sql(
        `SELECT id, state, retry_count + 1 AS attempts, output FROM pgboss.job WHERE name = $1 ORDER BY created_on, id`,
        [name],
      ),
    startWorker(handlers, env = {}) {
      const unable = Object.fromEntries(
        Object.entries(JOB_HANDLERS).map(([name, it]) => [name, { ...it, canRun: () => false }]),
      ) as unknown as JobHandlers;
      const worker = startJobWorker(
        parseEnv({
          DATABASE_URL: url,
          AUTH_SECRET: TEST_AUTH_SECRET,
          NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
          ...env,
        }),
        { ...unable, ...handlers },
      );
      workers.add(worker);
      return worker;
    },
  };
}
