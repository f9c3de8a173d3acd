import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readMigrations } from "./migrations-folder";

async function read(files: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), "folder-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await mkdir(path.join(folder, "meta.sql"));
  await symlink(path.join(folder, Object.keys(files)[0] ?? ""), path.join(folder, "9999_link.sql"));
  return readMigrations(folder);
}

test("only visible .sql files count, linked ones too, in byte order", async () => {
  const files = [
    "b.sql",
    "a.sql",
    "B.sql",
    "\u{1F600}.sql",
    "\uFF5E.sql",
    "._a.sql",
    ".sql",
    "a.sql~",
    "README.md",
  ];
  const migrations = await read(Object.fromEntries(files.map((name) => [name, "SELECT 1;"])));
  expect(migrations.map(({ name }) => name)).toEqual([
    "9999_link.sql",
    "B.sql",
    "a.sql",
    "b.sql",
    "\uFF5E.sql",
    "\u{1F600}.sql",
  ]);
});

test("the checksum is SHA-256 of the text with line ends made equal, and of nothing less", async () => {
  const texts = { a: "SELECT 1;\n", b: "SELECT 1;\r\n", c: "\uFEFFSELECT 1;\r", d: "SELECT 1; \n" };
  const migrations = await read(
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.sql`, text])),
  );
  const [, a, b, c, d] = migrations.map(({ checksum }) => checksum);
  expect(a).toBe("b4e0497804e46e0a0b0b8c31975b062152d551bac49c3c2e80932567b4085dcd");
  expect([b, c]).toEqual([a, a]);
  expect(d).not.toBe(a);
});

test.each([
  ["-- no-transaction\nSELECT 1", true],
  ["\n  --no-transaction: VACUUM cannot\nSELECT 1", true],
  ["-- Why.\n-- no-transaction\nSELECT 1", false],
  ["-- no-transactions\nSELECT 1", false],
  ["SELECT 1 -- no-transaction", false],
])("the directive is the file's first line: %j", async (sql, noTransaction) => {
  expect((await read({ "a.sql": sql })).map((file) => file.noTransaction)[1]).toBe(noTransaction);
});
