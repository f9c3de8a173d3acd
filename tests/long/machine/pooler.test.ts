import pg from "pg";
import { describe, expect, test } from "vitest";
import { MIGRATION_LOCK_KEY } from "../../../scripts/db/advisory-lock";
import { readPooling } from "../../../scripts/db/pooler";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkDatabase } from "../../../scripts/preflight/database-checks";
import { REQUIRED, type Source } from "../../fixtures/preflight";
import { createFolder, findTable } from "../../helpers/migrations";
import { startPgbouncer } from "../../helpers/pgbouncer";
import { hasProgram } from "../../helpers/program";
import { runScript } from "../../helpers/run-script";
import { createEmptyDatabase, createTestDatabase } from "../../helpers/test-database";
import { TEST_AUTH_SECRET } from "../../helpers/test-server";

// apt-get install pgbouncer
const isHere = hasProgram("pgbouncer");
if (!isHere) console.info("pgbouncer is not installed: the tests of poolers are skipped");

test("a server without a pooler is recognised by the process that it announces", async () => {
  expect(await readPooling(await createEmptyDatabase())).toEqual({
    pooling: "none",
    keepsStatements: true,
  });
});

describe.skipIf(!isHere)("with PgBouncer", () => {
  test.each([
    ["transaction mode", [], { pooling: "transaction", keepsStatements: false }],
    ["one connection", ["default_pool_size = 1"], { pooling: "transaction" }],
    ["connections taken in turn", ["server_round_robin = 1"], { pooling: "transaction" }],
    ["session mode", ["pool_mode = session"], { pooling: "session", keepsStatements: true }],
    [
      "session mode, all taken",
      ["pool_mode = session", "default_pool_size = 1"],
      { pooling: "session" },
    ],
  ])("a pooler is recognised: %s", async (_mode, lines, reading) => {
    const pooled = await startPgbouncer(await createEmptyDatabase(), lines);
    // Others use it at the same time, and leave idle connections in the pool.
    const others = lines.length > 1 ? [] : await Promise.all([open(pooled), open(pooled)]);
    await Promise.all(others.map((client) => client.query("SELECT pg_sleep(0.05)")));
    expect(await readPooling(pooled)).toMatchObject(reading);
    await Promise.all(others.map((client) => client.end()));
  });

  test("the probe leaves no statement behind in the pool", async () => {
    const pooled = await startPgbouncer(await createEmptyDatabase(), ["default_pool_size = 1"]);
    await readPooling(pooled);
    const client = await open(pooled);
    expect((await client.query("SELECT name FROM pg_prepared_statements")).rows).toEqual([]);
    await client.end();
  });

  test("db:migrate refuses a pooler by the parameter and by asking, and leaves no lock behind", async () => {
    const direct = await createEmptyDatabase();
    const pooled = await startPgbouncer(direct);
    const folder = await createFolder({ "0001_a.sql": "CREATE TABLE a (id int);" });
    const migrate = (env: Record<string, string>) =>
      runScript("scripts/db/migrate.command.ts", ["--folder", folder], env);

    for (const url of [pooled, `${pooled}?pgbouncer=true`]) {
      const { code, stderr } = await migrate({ DATABASE_URL: url });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^db:migrate: the address .*pooler.*: set DIRECT_DATABASE_URL to /);
    }
    expect(await findTable(direct, "app_migrations")).toBeNull();
    expect(await countLocks(direct)).toBe(0);

    const both = { DATABASE_URL: `${pooled}?pgbouncer=true`, DIRECT_DATABASE_URL: direct };
    expect(await migrate(both)).toMatchObject({ code: 0 });
    expect(await countLocks(direct)).toBe(0);
  });

  test("a pooler in session mode takes migrations, and gives the lock back", async () => {
    const direct = await createEmptyDatabase();
    const pooled = await startPgbouncer(direct, ["pool_mode = session"]);
    const folder = await createFolder({ "0001_a.sql": "CREATE TABLE a (id int);" });
    const args = ["--folder", folder];
    expect(
      await runScript("scripts/db/migrate.command.ts", args, { DATABASE_URL: pooled }),
    ).toMatchObject({ code: 0 });
    await expect.poll(() => countLocks(direct)).toBe(0);
  });

  test("the server does not start behind a pooler that loses statements, and starts with the parameter", async () => {
    const pooled = await startPgbouncer(await createTestDatabase());
    const start = (DATABASE_URL: string) =>
      runScript("scripts/start.ts", [], {
        DATABASE_URL,
        AUTH_SECRET: TEST_AUTH_SECRET,
        NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
        // Ends the attempt once it is past the check.
        HOST: "192.0.2.1",
        PORT: "0",
      });
    expect((await start(pooled)).stderr).toBe(
      "DATABASE_URL leads through a pooler in transaction mode that loses prepared statements: add pgbouncer=true to it (docs/more-than-one-process.md)\n",
    );
    expect((await start(`${pooled}?pgbouncer=true`)).stderr).toContain("HOST is no address");
  });

  test("the preflight tells a pooler without its setting, and a direct address that is none", async () => {
    const direct = await createTestDatabase();
    const pooled = await startPgbouncer(direct);
    const judge = async (source: Source) => {
      const configuration = readConfiguration({ ...REQUIRED, ...source });
      const options = { migrationsFolder: "prisma/migrations", isSkipped: () => false };
      const checks = await checkDatabase(configuration, options);
      return Object.fromEntries(checks.map(({ id, status }) => [id, status]));
    };
    const withParameter = `${pooled}?pgbouncer=true`;

    expect(await judge({ DATABASE_URL: direct })).toMatchObject({
      "database.pooler": "pass",
      "database.direct": "skip",
    });
    expect(await judge({ DATABASE_URL: pooled })).toMatchObject({
      "database.pooler": "fail",
      "database.direct": "warn",
    });
    expect(await judge({ DATABASE_URL: withParameter, DIRECT_DATABASE_URL: direct })).toMatchObject(
      { "database.pooler": "pass", "database.direct": "pass" },
    );
    expect(await judge({ DATABASE_URL: withParameter, DIRECT_DATABASE_URL: pooled })).toMatchObject(
      { "database.direct": "fail" },
    );
    expect(
      await judge({ DATABASE_URL: direct, DIRECT_DATABASE_URL: await createTestDatabase() }),
    ).toMatchObject({ "database.direct": "fail" });
  });
});

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function countLocks(url: string): Promise<number> {
  const client = await open(url);
  const { rows } = await client.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
       AND (classid::bigint << 32) + objid::bigint = $1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK_KEY],
  );
  await client.end();
  return rows.length;
}
