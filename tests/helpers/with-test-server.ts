import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { createTestDatabase } from "./test-database";
import { startTestServer, type TestServer } from "./test-server";

export interface ServerUnderTest {
  url: string;
  databaseUrl: string;
  server: TestServer;
  /** Runs SQL on the server's database directly, not through the app. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * Starts one server on its own database for all tests of a file. The returned object is filled in
 * before the first test. Pass a function if the environment must be prepared first; it gets the database's address.
 */
export function withTestServer(
  env: Record<string, string> | ((databaseUrl: string) => Promise<Record<string, string>>) = {},
): ServerUnderTest {
  const context = {} as ServerUnderTest;
  let pool: pg.Pool;
  beforeAll(async () => {
    const databaseUrl = await createTestDatabase();
    const more = typeof env === "function" ? await env(databaseUrl) : env;
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
