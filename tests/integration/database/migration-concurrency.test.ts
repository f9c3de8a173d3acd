import { expect, test } from "vitest";
import { MIGRATION_LOCK_KEY } from "../../../scripts/db/advisory-lock";
import { migrateDatabase } from "../../../scripts/db/migrate";
import {
  createFolder,
  faultOf,
  findTable,
  listApplied,
  openSession,
  select,
} from "../../helpers/migrations";
import { runScript, startScript } from "../../helpers/run-script";
import { createEmptyDatabase } from "../../helpers/test-database";

const CONCURRENT_INDEX =
  "-- no-transaction\nCREATE INDEX CONCURRENTLY people_name ON people (name);\n";
const PEOPLE = "CREATE TABLE people (name text);";

const isValid = (databaseUrl: string, index: string) =>
  select(databaseUrl, `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${index}')`);

/** Lists the statements that wait for a lock in the server. */
const listWaiting = (databaseUrl: string) =>
  select(
    databaseUrl,
    "SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );

test("two processes at once apply each file once, and both succeed", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_runs.sql": "CREATE TABLE runs (file text);",
    "0002_run.sql": "INSERT INTO runs VALUES ('0002');",
    "0003_run.sql": "INSERT INTO runs VALUES ('0003');",
  });
  const session = await openSession(databaseUrl);
  // Both processes wait at the lock before either can go on, however long each took to start.
  await session.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK_KEY]);
  const start = () =>
    runScript("scripts/db/migrate.command.ts", ["--folder", folder], { DATABASE_URL: databaseUrl });
  const both = Promise.all([start(), start()]);
  await expect
    .poll(
      () =>
        select(
          databaseUrl,
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'migrations'",
        ),
      { timeout: 20_000 },
    )
    .toHaveLength(2);
  await session.query("SELECT pg_advisory_unlock_all()");
  const outcomes = await both;
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  // The process that applied the files logs it; the other changed nothing.
  expect(
    outcomes.map(({ stderr }) => stderr.match(/operator_command/g)?.length ?? 0).sort(),
  ).toEqual([0, 1]);
  expect(outcomes.map(({ stdout }) => stdout.match(/^applied /gm)?.length ?? 0).sort()).toEqual([
    0, 3,
  ]);
  expect(await select(databaseUrl, "SELECT file FROM runs ORDER BY file")).toEqual([
    "0002",
    "0003",
  ]);
});

test("a runner that waits for the lock says for whom, and gives up when its time is over", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({ "0001_people.sql": PEOPLE });
  const session = await openSession(databaseUrl);
  const { rows } = await session.query("SELECT pg_backend_pid() AS pid, pg_advisory_lock($1)", [
    MIGRATION_LOCK_KEY,
  ]);
  const lines: string[] = [];
  const fault = await faultOf(
    migrateDatabase({ databaseUrl, folder, lockWaitMs: 20, onProgress: (l) => lines.push(l) }),
  );
  expect(fault).toMatchObject({ fault: "locked" });
  expect(fault.message).toContain(`database process ${rows[0].pid}`);
  expect(lines).toHaveLength(1);
  expect(await findTable(databaseUrl, "people")).toBeNull();
  expect(await findTable(databaseUrl, "app_migrations")).toBeNull();
});

test("an index built concurrently does not deadlock with a runner that waits for its turn", async () => {
  const databaseUrl = await createEmptyDatabase();
  await migrateDatabase({ databaseUrl, folder: await createFolder({ "0001_people.sql": PEOPLE }) });
  const folder = await createFolder({
    "0001_people.sql": PEOPLE,
    "0002_index.sql": CONCURRENT_INDEX,
  });

  const writer = await openSession(databaseUrl);
  await writer.query("BEGIN; INSERT INTO people VALUES ('ann')");
  const first = migrateDatabase({ databaseUrl, folder, lockTimeoutMs: 20 });
  await expect
    .poll(() => listWaiting(databaseUrl))
    .toEqual([expect.stringContaining("CREATE INDEX CONCURRENTLY")]);

  let second: Promise<unknown> | undefined;
  await new Promise<void>((resolve) => {
    second = migrateDatabase({ databaseUrl, folder, onProgress: () => resolve() });
  });
  await writer.query("COMMIT");

  expect(await Promise.all([first, second])).toEqual([
    { status: "applied", applied: ["0002_index.sql"], warnings: [] },
    { status: "up-to-date", warnings: [] },
  ]);
  expect(await isValid(databaseUrl, "people_name")).toEqual([true]);
});

test("a runner that is killed leaves nothing of its file, and the next one takes over", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  await session.query("CREATE TABLE busy (id int)");
  await session.query("BEGIN; LOCK TABLE busy");
  const folder = await createFolder({
    "0001_first.sql": PEOPLE,
    "0002_busy.sql": "CREATE TABLE half (id int); ALTER TABLE busy ADD COLUMN x int;",
  });
  const killed = startScript("scripts/db/migrate.command.ts", ["--folder", folder], {
    DATABASE_URL: databaseUrl,
  });
  await expect
    .poll(() => listWaiting(databaseUrl))
    .toEqual([expect.stringContaining("ALTER TABLE busy")]);
  killed.process.kill("SIGKILL");
  expect((await killed.finished).code).toBeNull();
  await session.query("COMMIT");

  expect(await migrateDatabase({ databaseUrl, folder })).toMatchObject({
    applied: ["0002_busy.sql"],
  });
  expect(await listApplied(databaseUrl)).toEqual(["0001_first.sql", "0002_busy.sql"]);
});

test("a no-transaction file with two statements is refused before either runs", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_two.sql": "-- no-transaction\nCREATE TABLE a (id int);\nCREATE TABLE b (id int);",
  });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({ file: "0001_two.sql", line: 3 });
  expect(fault.message).toContain("exactly one statement");
  expect(await findTable(databaseUrl, "a")).toBeNull();
  expect(await listApplied(databaseUrl)).toEqual([]);
});

test("a no-transaction file without a statement, and one with a wrong one, are refused", async () => {
  const databaseUrl = await createEmptyDatabase();
  const empty = await createFolder({ "0001_none.sql": "-- no-transaction\n-- later\n" });
  expect((await faultOf(migrateDatabase({ databaseUrl, folder: empty }))).message).toBe(
    "0001_none.sql: it holds no statement",
  );
  const wrong = await createFolder({ "0001_bad.sql": "-- no-transaction\nSELCT 1; SELECT 2" });
  expect(await faultOf(migrateDatabase({ databaseUrl, folder: wrong }))).toMatchObject({
    line: 2,
    statement: "SELCT 1",
    message: expect.stringContaining("syntax error"),
  });
  expect(await listApplied(databaseUrl)).toEqual([]);
});

test("a concurrent index in an ordinary file fails and says what to write instead", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_index.sql":
      "CREATE TABLE people (name text);\nCREATE INDEX CONCURRENTLY i ON people (name);",
  });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({ line: 2 });
  expect(fault.message).toContain("`-- no-transaction`");
});

test("a failed concurrent build is told with the DROP that the next run needs, even past IF NOT EXISTS", async () => {
  const databaseUrl = await createEmptyDatabase();
  const sql =
    "-- no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS people_name ON people (name);";
  const folder = await createFolder({
    "0001_people.sql": `${PEOPLE} INSERT INTO people VALUES ('ann'), ('ann');`,
    "0002_unique.sql": sql,
  });
  const failed = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(failed.message).toContain("could not create unique index");
  expect(failed.message).toContain("DROP INDEX CONCURRENTLY public.people_name;");

  const again = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(again.message).toContain("0002_unique.sql: not recorded");
  expect(again.message).toContain("DROP INDEX CONCURRENTLY public.people_name;");
  expect(await listApplied(databaseUrl)).toEqual(["0001_people.sql"]);

  const session = await openSession(databaseUrl);
  await session.query("DROP INDEX CONCURRENTLY public.people_name");
  await session.query("DELETE FROM people");
  expect((await migrateDatabase({ databaseUrl, folder })).status).toBe("applied");
  expect(await isValid(databaseUrl, "people_name")).toEqual([true]);
});

test("a no-transaction file that was cut off before its record says how to go on", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  await session.query("CREATE TABLE people (name text)");
  await session.query("CREATE INDEX people_name ON people (name)");
  const folder = await createFolder({ "0001_index.sql": CONCURRENT_INDEX });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault.message).toContain('relation "people_name" already exists');
  expect(fault.message).toContain("add IF [NOT] EXISTS to this file and run again");

  const repeatable = CONCURRENT_INDEX.replace("CONCURRENTLY", "CONCURRENTLY IF NOT EXISTS");
  const mended = await createFolder({ "0001_index.sql": repeatable });
  expect((await migrateDatabase({ databaseUrl, folder: mended })).status).toBe("applied");
});

test("a statement outside a transaction that would block others keeps the lock timeout", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  await session.query("CREATE TABLE busy (id int)");
  await session.query("BEGIN; LOCK TABLE busy");
  const folder = await createFolder({ "0001_vacuum.sql": "-- no-transaction\nVACUUM FULL busy;" });
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder, lockTimeoutMs: 20 }));
  expect(fault.message).toContain("lock timeout");
});
