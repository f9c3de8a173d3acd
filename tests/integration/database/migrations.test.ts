import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { migrateDatabase } from "../../../scripts/db/migrate";
import { getMigrationStatus } from "../../../scripts/db/migration-status";
import { createFolder, faultOf, findTable, listApplied, select } from "../../helpers/migrations";
import { createEmptyDatabase, createTestDatabase } from "../../helpers/test-database";

const TWO_FILES = {
  "0001_users.sql": "CREATE TABLE people (id int PRIMARY KEY);",
  "0002_notes.sql": "CREATE TABLE notes (id int);\nINSERT INTO notes VALUES (1);",
};

test("an empty database gets every file, and a record of each", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder(TWO_FILES);
  const lines: string[] = [];
  const result = await migrateDatabase({ databaseUrl, folder, onProgress: (l) => lines.push(l) });
  expect(result).toEqual({ status: "applied", applied: Object.keys(TWO_FILES), warnings: [] });
  expect(lines.filter((line) => line.startsWith("applying"))).toEqual([
    "applying 0001_users.sql",
    "applying 0002_notes.sql",
  ]);
  expect(await select(databaseUrl, "SELECT id FROM notes")).toEqual([1]);
  const { applied, pending } = await getMigrationStatus(databaseUrl, folder);
  expect(applied.map(({ name }) => name)).toEqual(Object.keys(TWO_FILES));
  expect(applied[0]?.checksum).toMatch(/^[0-9a-f]{64}$/);
  expect(Date.now() - (applied[0]?.appliedAt.getTime() ?? 0)).toBeLessThan(60_000);
  expect(pending).toEqual([]);
});

test("the migrations make no account", async () => {
  const databaseUrl = await createTestDatabase();
  expect(await select(databaseUrl, "SELECT count(*)::int FROM users")).toEqual([0]);
});

test("a second run applies nothing", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder(TWO_FILES);
  await migrateDatabase({ databaseUrl, folder });
  const before = await select(databaseUrl, "SELECT * FROM app_migrations");
  expect(await migrateDatabase({ databaseUrl, folder })).toEqual({
    status: "up-to-date",
    warnings: [],
  });
  expect(await select(databaseUrl, "SELECT * FROM app_migrations")).toEqual(before);
});

test("files run in the byte order of their names", async () => {
  const databaseUrl = await createEmptyDatabase();
  const step = (name: string) => `INSERT INTO steps (file) VALUES ('${name}');`;
  const names = ["0010_b.sql", "0010_B.sql", "0009_z.sql", "0010_é.sql", "0010_b_.sql"];
  const folder = await createFolder({
    "0001_steps.sql": "CREATE TABLE steps (id serial, file text);",
    ...Object.fromEntries(names.map((name) => [name, step(name)])),
  });
  await migrateDatabase({ databaseUrl, folder });
  expect(await select(databaseUrl, "SELECT file FROM steps ORDER BY id")).toEqual([
    "0009_z.sql",
    "0010_B.sql",
    "0010_b.sql",
    "0010_b_.sql",
    "0010_é.sql",
  ]);
});

test("a dry run says what it would apply and leaves not even app_migrations", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder(TWO_FILES);
  expect(await migrateDatabase({ databaseUrl, folder, dryRun: true })).toEqual({
    status: "dry-run",
    pending: Object.keys(TWO_FILES),
    warnings: [],
  });
  expect(
    await select(
      databaseUrl,
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    ),
  ).toEqual([]);
});

test("an applied file that was edited is refused by name, and nothing after it runs", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder(TWO_FILES);
  await migrateDatabase({ databaseUrl, folder });
  await writeFile(path.join(folder, "0001_users.sql"), "CREATE TABLE people (id bigint);");
  await writeFile(path.join(folder, "0003_more.sql"), "CREATE TABLE more (id int);");
  for (const dryRun of [true, false]) {
    const fault = await faultOf(migrateDatabase({ databaseUrl, folder, dryRun }));
    expect(fault).toMatchObject({ fault: "changed" });
    expect(fault.message).toContain("0001_users.sql: edited after it was applied");
    expect(fault.message).not.toContain("0002");
  }
  expect(await findTable(databaseUrl, "more")).toBeNull();
  const { changed, applied } = await getMigrationStatus(databaseUrl, folder);
  expect(changed.map(({ name }) => name)).toEqual(["0001_users.sql"]);
  expect(applied.map(({ name }) => name)).toEqual(["0002_notes.sql"]);
});

test("line ends and a byte order mark don't count as an edit and don't reach the database", async () => {
  const databaseUrl = await createEmptyDatabase();
  const lines = ["CREATE TABLE texts (body text);", "INSERT INTO texts VALUES ('a", "b');", ""];
  const folder = await createFolder({ "0001_texts.sql": `\uFEFF${lines.join("\r\n")}` });
  await migrateDatabase({ databaseUrl, folder });
  expect(await select(databaseUrl, "SELECT body FROM texts")).toEqual(["a\nb"]);
  await writeFile(path.join(folder, "0001_texts.sql"), lines.join("\n"));
  expect((await migrateDatabase({ databaseUrl, folder })).status).toBe("up-to-date");
});

test("a recorded file that is gone is refused by name, unless that is allowed", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder(TWO_FILES);
  await migrateDatabase({ databaseUrl, folder });
  await rm(path.join(folder, "0001_users.sql"));
  await writeFile(path.join(folder, "0003_more.sql"), "CREATE TABLE more (id int);");
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({ fault: "missing" });
  expect(fault.message).toContain("0001_users.sql: recorded as applied, and not in the folder");
  expect(await findTable(databaseUrl, "more")).toBeNull();
  expect(await migrateDatabase({ databaseUrl, folder, allowMissing: true })).toMatchObject({
    applied: ["0003_more.sql"],
    warnings: [expect.stringContaining("0001_users.sql")],
  });
});

test("a new file that sorts before the last applied one is refused by strict, else applied with a warning", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder(TWO_FILES);
  await migrateDatabase({ databaseUrl, folder });
  await writeFile(path.join(folder, "0001_zebra.sql"), "CREATE TABLE zebra (id int);");
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder, strict: true }));
  expect(fault).toMatchObject({ fault: "out-of-order" });
  expect(fault.message).toContain("0001_zebra.sql: sorts before 0002_notes.sql");
  expect(await findTable(databaseUrl, "zebra")).toBeNull();
  expect(await migrateDatabase({ databaseUrl, folder })).toMatchObject({
    applied: ["0001_zebra.sql"],
    warnings: [expect.stringContaining("0001_zebra.sql: sorts before 0002_notes.sql")],
  });
  expect(await findTable(databaseUrl, "zebra")).toBe("zebra");
});

test("a file's session settings end with it and can't hide app_migrations", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({
    "0001_schema.sql": "CREATE SCHEMA other; SET search_path = other; SET lock_timeout = 0;",
    "0002_table.sql":
      "SELECT set_config('search_path', '', false); CREATE TABLE public.people (id int); SET ROLE pg_monitor;",
    "0003_table.sql":
      "CREATE TABLE settings AS SELECT current_setting('lock_timeout') AS lock, current_user::text AS who;",
  });
  await migrateDatabase({ databaseUrl, folder, lockTimeoutMs: 1234 });
  expect(await select(databaseUrl, "SELECT lock, who FROM public.settings")).toEqual([
    ["1234ms", "postgres"],
  ]);
  expect(await listApplied(databaseUrl)).toHaveLength(3);
});

test("another program's table of the same name is refused and left alone", async () => {
  const databaseUrl = await createEmptyDatabase();
  await select(databaseUrl, "CREATE TABLE app_migrations (id int)");
  const folder = await createFolder(TWO_FILES);
  const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
  expect(fault).toMatchObject({ fault: "database", message: 'column "name" does not exist' });
  expect(await findTable(databaseUrl, "people")).toBeNull();
});

test("the error's own message has no password", async () => {
  const folder = await createFolder(TWO_FILES);
  for (const databaseUrl of [
    "postgresql://ann:s3cr3t-word@127.0.0.1:1/app",
    "postgresql://ann:s3cr3t-word@not a host/app",
    "postgresql://127.0.0.1:1/app?user=ann&password=s3cr3t-word",
  ]) {
    const fault = await faultOf(migrateDatabase({ databaseUrl, folder }));
    expect(fault).toMatchObject({ fault: "connection" });
    expect(inspect(fault, { depth: null, showHidden: true })).not.toContain("s3cr3t");
  }
});

test("a folder that is not there and a file that is no UTF-8 are named", async () => {
  const databaseUrl = await createEmptyDatabase();
  const absent = await faultOf(migrateDatabase({ databaseUrl, folder: "/nowhere/migrations" }));
  expect(absent).toMatchObject({ fault: "folder" });
  expect(absent.message).toContain("/nowhere/migrations");
  const folder = await createFolder({});
  await writeFile(path.join(folder, "0001_latin.sql"), Buffer.from("-- caf\xe9\n", "latin1"));
  expect((await faultOf(migrateDatabase({ databaseUrl, folder }))).message).toContain(
    "0001_latin.sql",
  );
});
