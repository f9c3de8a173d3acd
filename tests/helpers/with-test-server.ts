import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { createTestDatabase } from "./test-database";
import { startTestServer, type TestServer } from "./test-server";

export interface ServerUnderTest {
  url: string;
  databaseUrl: string;
  server: TestServer;
  /** Runs SQL on the server's database, past the app. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * One server on a database of its own for all tests of a file; filled in before the first test.
 * An environment that has to be made first is given as a function.
 */
export function withTestServer(
  env: Record<string, string> | (() => Promise<Record<string, string>>) = {},
): ServerUnderTest {
  const context = {} as ServerUnderTest;
  let pool: pg.Pool;
  beforeAll(async () => {
    const databaseUrl = await createTestDatabase();
    const more = typeof env === "function" ? await env() : env;
    const server = await startTestServer({ DATABASE_URL: databaseUrl, ...more });
    pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    Object.assign(context, {
      url: server.url,
      databaseUrl,
      server,
      sql: async (text: string, values?: unknown[]) => (await pool.query(text, values)).rows,
    });
  });
  afterAll(async () => {
    await pool.end();
    await context.server.stop();
  });
  return context;
}
