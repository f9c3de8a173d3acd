import { expect, test } from "vitest";
import { migrateDatabase } from "../../../scripts/db/migrate";
import { splitStatements } from "../../../scripts/db/sql-statements";
import { readDocBlock } from "../../helpers/doc-blocks";
import {
  createFolder,
  faultOf,
  findTable,
  listApplied,
  openSession,
  select,
} from "../../helpers/migrations";
import { createEmptyDatabase } from "../../helpers/test-database";

test("of three files the second fails: the first stays, the second leaves nothing, the third is not tried", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_one.sql": "CREATE TABLE one (id int);",
    "0002_two.sql": "CREATE TABLE two (id int);\n\nALTER TABLE nowhere\n  ADD COLUMN x int;\n",
    "0003_three.sql": "CREATE TABLE three (id int);",
  });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({
    fault: "statement",
    file: "0002_two.sql",
    line: 3,
    statement: "ALTER TABLE nowhere",
  });
  expect(fault.message).toBe(
    '0002_two.sql, line 3: relation "nowhere" does not exist — in: ALTER TABLE nowhere',
  );
  expect(await listApplied(databaseUrl)).toEqual(["0001_one.sql"]);
  expect(await findTable(databaseUrl, "one")).toBe("one");
  expect(await findTable(databaseUrl, "two")).toBeNull();
  expect(await findTable(databaseUrl, "three")).toBeNull();
});

const LONG_NAME = "x".repeat(150);

test.each([
  ["a syntax error", "SELECT 1;\nSELECT 'é😀', /* 😀 */ 2;\n  SELCT 3;", 3, "SELCT 3"],
  [
    "an unknown column, after characters of two units",
    "SELECT '😀😀😀😀';\nSELECT\n  nope;",
    3,
    "SELECT",
  ],
  [
    "a violated constraint, which has no position",
    "CREATE TABLE t (id int CHECK (id > 0));\n-- a; b\nINSERT INTO t VALUES (1);;\nINSERT INTO t\nVALUES (-1);\nSELECT 1;",
    4,
    "INSERT INTO t",
  ],
  [
    "a fault inside a function body",
    "SELECT 1;\nDO $$\nBEGIN\n  PERFORM 1; RAISE EXCEPTION 'no';\nEND $$;",
    2,
    "DO $$",
  ],
  ["a long first line", `SELECT 1;\nSELECT ${LONG_NAME};`, 2, `SELECT ${"x".repeat(112)}…`],
])("the failing statement is named: %s", async (_case, sql, line, statement) => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({ "0001_bad.sql": sql });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({ fault: "statement", file: "0001_bad.sql", line, statement });
  expect(fault.message).toContain(`0001_bad.sql, line ${line}: `);
});

test("a failure does not repeat the row it is about", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_t.sql": "CREATE TABLE t (a text); INSERT INTO t VALUES ('ann@example.com');",
    "0002_t.sql": "ALTER TABLE t ADD CONSTRAINT short CHECK (length(a) < 3);",
  });
  const { message } = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(message).toContain("short");
  expect(message).not.toContain("ann@example.com");
});

test("a constraint that is checked at the end keeps the file from being recorded", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_late.sql":
      "CREATE TABLE t (id int PRIMARY KEY, up int REFERENCES t DEFERRABLE INITIALLY DEFERRED); INSERT INTO t VALUES (1, 2);",
  });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({ fault: "statement", file: "0001_late.sql", line: undefined });
  expect(fault.message).toContain("when it was recorded and committed");
  expect(await listApplied(databaseUrl)).toEqual([]);
  expect(await findTable(databaseUrl, "t")).toBeNull();
});

test.each(["COMMIT", "BEGIN", "ROLLBACK", "END", "start  transaction", "ROLLBACK AND CHAIN"])(
  "a file with %s is refused before any of it runs",
  async (control) => {
    const databaseUrl = await createEmptyDatabase();
    const sql = `CREATE TABLE kept (id int);\n${control};\nCREATE TABLE more (id int);`;
    const folder = await createFolder({ "0001_control.sql": sql });
    const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
    expect(fault).toMatchObject({ fault: "statement", line: 2, statement: control });
    expect(await findTable(databaseUrl, "kept")).toBeNull();
  },
);

test("savepoints, and the same words inside functions, are no transaction control", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_fine.sql": `SAVEPOINT a; CREATE TABLE gone (id int); ROLLBACK TO SAVEPOINT a; ROLLBACK WORK TO a;
      CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;
      CREATE FUNCTION g() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END;`,
  });
  expect((await migrateDatabase({ databaseUrl, folder })).status).toBe("applied");
  expect(await select(databaseUrl, "SELECT f() + g()")).toEqual([3]);
  expect(await findTable(databaseUrl, "gone")).toBeNull();
});

test("a file that ends its transaction unseen is not recorded, and the message says so", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  const { rows } = await session.query("SELECT current_database() AS name");
  // With this old setting the server ends the string before COMMIT; we read COMMIT as part of it.
  await session.query(`ALTER DATABASE ${rows[0].name} SET standard_conforming_strings = off`);
  const folder = await createFolder({
    "0001_unseen.sql": "CREATE TABLE kept (id int); SELECT 'x\\''; COMMIT; --';",
  });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault.message).toContain("0001_unseen.sql: it ended its own transaction");
  expect(await listApplied(databaseUrl)).toEqual([]);
  expect(await findTable(databaseUrl, "kept")).toBe("kept");
});

test("a statement that waits too long for a lock fails by name, and succeeds once the lock is free", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  await session.query("CREATE TABLE busy (id int)");
  await session.query("BEGIN; LOCK TABLE busy");
  const folder = await createFolder({
    "0001_busy.sql": "CREATE TABLE mine (id int);\nALTER TABLE busy ADD COLUMN x int;",
  });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder, lockTimeoutMs: 20 }));
  expect(fault).toMatchObject({ file: "0001_busy.sql", line: 2 });
  expect(fault.message).toContain("lock timeout");
  expect(fault.message).toContain("--lock-timeout");
  expect(await findTable(databaseUrl, "mine")).toBeNull();
  await session.query("ROLLBACK");
  expect((await migrateDatabase({ databaseUrl, folder })).status).toBe("applied");
});

test("the page's query names the transaction that blocks a migration", async () => {
  const databaseUrl = await createEmptyDatabase();
  const blocker = await openSession(databaseUrl);
  const { rows: own } = await blocker.query("SELECT pg_backend_pid() AS pid");
  await blocker.query("BEGIN");
  const looker = await openSession(databaseUrl);
  const { rows } = await looker.query(
    readDocBlock("docs/migrations.md", "sql", "FROM pg_stat_activity"),
  );
  expect(rows).toContainEqual(
    expect.objectContaining({ pid: own[0].pid, state: "idle in transaction" }),
  );
});

test("a lost connection says so, and leaves the file pending", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_lost.sql": "CREATE TABLE lost (id int); SELECT pg_terminate_backend(pg_backend_pid());",
  });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({ file: "0001_lost.sql" });
  expect(fault.message).toContain("terminating connection");
  expect(await findTable(databaseUrl, "lost")).toBeNull();
  expect(await listApplied(databaseUrl)).toEqual([]);
});

test("the statements we count are those the server counts", async () => {
  const session = await openSession(await createEmptyDatabase());
  const sql = String.raw`
    CREATE TABLE t (a text); -- a; comment
    INSERT INTO t VALUES ('a;b'), ('it''s;'), (E'it\'s;'), ('c:\');;
    /* one; /* two; */ */ INSERT INTO t VALUES ($x$ ; $$ ; $x$), ($$;$$);
    CREATE RULE r AS ON DELETE TO t DO ALSO (SELECT 1; SELECT 2);
    CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;
    DO $$ BEGIN PERFORM 1; PERFORM 2; END $$;
    SELECT a AS "x;y" FROM t; SELECT f()`;
  let completed = 0;
  session.connection.on("commandComplete", () => {
    completed += 1;
  });
  await session.query(sql);
  expect(splitStatements(sql)).toHaveLength(completed);
});
