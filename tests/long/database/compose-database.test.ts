import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateDatabase } from "../../../scripts/db/migrate";
import { splitStatements } from "../../../scripts/db/sql-statements";
import { type RunningPostgres, startPostgres } from "../../../scripts/lib/embedded-postgres";
import { signUp } from "../../helpers/client";
import { runScript } from "../../helpers/run-script";
import { startTestServer } from "../../helpers/test-server";

const PASSWORD = "it's-quoted";
const NOT_PERMITTED = "42501";
const WRONG_PASSWORD = "28P01";

let folder: string;
let postgres: RunningPostgres;
let databaseUrl: string;
let client: pg.Client;

/**
 * A server like compose.yaml's `db` after its first start: its superuser ran docker/init-db.sql.
 */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "compose-database-"));
  await chmod(folder, 0o755);
  postgres = await startPostgres({ dataDir: path.join(folder, "postgres"), ephemeral: true });
  const superuser = new pg.Client({ connectionString: postgres.url("postgres") });
  await superuser.connect();
  for (const { text } of splitStatements(await readInitScript())) await superuser.query(text);
  await superuser.end();
  databaseUrl = urlOf("credits");
  await migrateDatabase({ databaseUrl, folder: "prisma/migrations" });
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

/** Returns the file as psql runs it: it has one psql command, which reads the password. */
async function readInitScript(): Promise<string> {
  const lines = (await readFile("docker/init-db.sql", "utf8")).split("\n");
  expect(lines.filter((line) => line.startsWith("\\"))).toEqual([
    "\\getenv password POSTGRES_PASSWORD",
  ]);
  const sql = lines.filter((line) => !line.startsWith("\\")).join("\n");
  return sql.replaceAll(":'password'", pg.escapeLiteral(PASSWORD));
}

function urlOf(database: string): string {
  const url = new URL(postgres.url(database));
  url.username = "credits";
  url.password = encodeURIComponent(PASSWORD);
  return url.href;
}

const codeOf = (error: unknown) => (error as { code?: string }).code;

test("the app's role migrates, serves and proves the ledger", async () => {
  const server = await startTestServer({ DATABASE_URL: databaseUrl });
  try {
    await signUp(server.url);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  } finally {
    await server.stop();
  }
  const again = await runScript("scripts/db/migrate.command.ts", [], { DATABASE_URL: databaseUrl });
  expect(again.stdout).toContain("nothing to apply");
  const args = ["verify"];
  const ledger = await runScript("scripts/ledger/ledger.command.ts", args, {
    DATABASE_URL: databaseUrl,
  });
  expect(ledger).toMatchObject({ code: 0, stdout: expect.stringContaining("no faults") });
});

test("the app's role owns every table of its database", async () => {
  const { rows } = await client.query(
    "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'",
  );
  expect(rows).toEqual([{ tableowner: "credits" }]);
});

test.each([
  "CREATE ROLE intruder LOGIN SUPERUSER",
  "CREATE DATABASE elsewhere",
  "ALTER ROLE credits SUPERUSER",
  "ALTER ROLE postgres PASSWORD 'known'",
  "ALTER SYSTEM SET log_statement = 'all'",
  "COPY users FROM '/etc/passwd'",
  "COPY users TO '/tmp/users'",
  "COPY users FROM PROGRAM 'id'",
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT lo_import('/etc/passwd')",
  "SELECT rolpassword FROM pg_authid",
  "CREATE FUNCTION run(text) RETURNS int LANGUAGE c AS 'libc', 'system'",
  "SET session_replication_role = replica",
])("the app's role may not: %s", async (sql) => {
  const code = await client.query(sql).then(() => "it may", codeOf);
  expect(code).toBe(NOT_PERMITTED);
});

test.each(["postgres", "template1"])(
  "the app's role may not enter the database %s",
  async (name) => {
    const other = new pg.Client({ connectionString: urlOf(name) });
    expect(await other.connect().then(() => "it may", codeOf)).toBe(NOT_PERMITTED);
  },
);

test.each([PASSWORD, "postgres"])(
  "nobody signs in as the superuser over the network: %s",
  async (password) => {
    const url = new URL(postgres.url("postgres"));
    url.password = encodeURIComponent(password);
    const superuser = new pg.Client({ connectionString: url.href });
    expect(await superuser.connect().then(() => "it may", codeOf)).toBe(WRONG_PASSWORD);
  },
);
