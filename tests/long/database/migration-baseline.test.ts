import { expect, inject, test } from "vitest";
import {
  createFolder,
  findTable,
  listApplied,
  openSession,
  select,
} from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";
import { createEmptyDatabase } from "../../helpers/test-database";

const FIRST = `CREATE TABLE a (id int PRIMARY KEY, n int CHECK (n > 0));
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;`;
const FILES = {
  "0001_a.sql": FIRST,
  "0002_b.sql": "-- no-transaction\nCREATE INDEX CONCURRENTLY a_n ON a (n) WHERE n > 5;",
  "0003_c.sql": "CREATE TABLE c (id int);",
};
const SAME =
  "CREATE TABLE a (n int, id int); ALTER TABLE a ADD CONSTRAINT a_pkey PRIMARY KEY (id), ADD CONSTRAINT a_n_check CHECK (n > 0); CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$; CREATE INDEX a_n ON a (n) WHERE n > 5; INSERT INTO a VALUES (7, 1);";

async function createExisting(sql: string) {
  const databaseUrl = await createEmptyDatabase();
  await (await openSession(databaseUrl)).query(sql);
  const folder = await createFolder(FILES);
  const migrate = (...args: string[]) =>
    runScript("scripts/db/migrate.command.ts", ["--folder", folder, ...args], {
      DATABASE_URL: databaseUrl,
    });
  return { databaseUrl, migrate };
}

const countScratch = async () =>
  select(inject("postgresUrl"), "SELECT count(*) FROM pg_database WHERE datname LIKE 'baseline_%'");

test("a database that matches the files is recorded without running them and continues from there", async () => {
  const { databaseUrl, migrate } = await createExisting(SAME);
  const dry = await migrate("--baseline", "0002_b", "--dry-run");
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing was changed") });
  expect(await findTable(databaseUrl, "app_migrations")).toBeNull();

  expect(await migrate("--baseline", "0002_b.sql")).toEqual({
    code: 0,
    stderr: expect.stringContaining('"command":"db:migrate --baseline"'),
    stdout: `comparing the database with what 2 files give
recorded 0001_a.sql
recorded 0002_b.sql
2 files: run db:migrate for the files after them
`,
  });
  expect(await listApplied(databaseUrl)).toEqual(["0001_a.sql", "0002_b.sql"]);
  expect(await select(databaseUrl, "SELECT id, n FROM a")).toEqual([[1, 7]]);
  expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringContaining("0003_c") });
  expect(await migrate("--baseline", "0003_c")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("has a record of 3 migrations already"),
  });
  expect(await countScratch()).toEqual(["0"]);
});

test.each([
  ["a type", SAME.replace("id int", "id bigint"), "only here:     column a.id bigint not null"],
  ["a CHECK", SAME.replaceAll("n > 0", "n > 1"), "missing here:  constraint a.a_n_check CHECK"],
  ["a partial index", SAME.replace("WHERE n > 5", ""), "missing here:  index CREATE INDEX a_n"],
  ["a function", SAME.replace("SELECT 1", "SELECT 2"), "missing here:  function CREATE OR"],
  ["a table too many", `${SAME} CREATE TABLE more (id int);`, "only here:     table more"],
  ["a primary key", `${SAME} ALTER TABLE a DROP CONSTRAINT a_pkey;`, "missing here:  index CREATE"],
])("%s that differs is named, and nothing is recorded", async (_what, sql, line) => {
  const { databaseUrl, migrate } = await createExisting(sql);
  const { code, stdout, stderr } = await migrate("--baseline", "0002_b");
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(line) });
  expect(stderr).toMatch(
    /^db:migrate: the database is not what the files up to 0002_b.sql give \(/,
  );
  expect(stderr.split("\n")).toHaveLength(2);
  expect(await findTable(databaseUrl, "app_migrations")).toBeNull();
  expect(await countScratch()).toEqual(["0"]);
});

test("an unknown file, and --scratch alone, are refused", async () => {
  const { migrate } = await createExisting(SAME);
  expect(await migrate("--baseline", "0009_x")).toMatchObject({
    code: 1,
    stderr: "db:migrate: there is no migration '0009_x': name one file of the folder\n",
  });
  expect(await migrate("--scratch", "x")).toMatchObject({ code: 2 });
});

test("a role that may not create databases is given an empty one by name", async () => {
  const { databaseUrl } = await createExisting(SAME);
  const url = new URL(databaseUrl);
  const role = `clerk_${url.pathname.slice(6)}`;
  const admin = await openSession(databaseUrl);
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'clerk-password'`);
  await admin.query(`GRANT ALL ON SCHEMA public TO ${role}`);
  url.username = role;
  url.password = "clerk-password";
  const folder = await createFolder(FILES);
  const migrate = (...args: string[]) =>
    runScript(
      "scripts/db/migrate.command.ts",
      ["--folder", folder, "--baseline", "0002_b", ...args],
      { DATABASE_URL: url.href },
    );

  expect(await migrate()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("name it with --scratch"),
  });
  const empty = new URL(await createEmptyDatabase());
  await (await openSession(empty.href)).query(`GRANT ALL ON SCHEMA public TO ${role}`);
  const name = empty.pathname.slice(1);
  expect(await migrate("--scratch", url.pathname.slice(1))).toMatchObject({
    code: 1,
    stderr: "db:migrate: --scratch names the database itself: it needs another one, empty\n",
  });
  expect(await migrate("--scratch", name)).toMatchObject({ code: 0 });
  expect(await migrate("--scratch", name)).toMatchObject({ code: 1 });
  await admin.query("DELETE FROM app_migrations");
  expect(await migrate("--scratch", name)).toMatchObject({
    code: 1,
    stderr: "db:migrate: the database named with --scratch is not empty\n",
  });
});
