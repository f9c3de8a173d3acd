import { expect, test } from "vitest";
import { memoryTree } from "#tests/helpers/memory-tree";
import { sha256 } from "../../db/migrations-folder";
import { recordChecksums } from "../migration-checksums";
import { checkJournal } from "./check-journal";
import { checkLockfile } from "./check-lockfile";
import { checkMigrations } from "./check-migrations";
import { checkVersion } from "./check-version";

const M = "prisma/migrations";
const A = "CREATE TABLE a ();\n";
const PACKAGE = {
  version: "1.0.0",
  dependencies: { pg: "8.0.0" },
  engines: { node: ">=20" },
};
const WHOLE = {
  "package.json": JSON.stringify(PACKAGE),
  "package-lock.json": JSON.stringify({
    version: "1.0.0",
    packages: { "": PACKAGE, "node_modules/pg": {} },
  }),
  "CHANGELOG.md": "# Changelog\n\n## [1.0.0] - 2026-11-21\n",
  "prisma/schema.prisma": "model A {\n  id Int @id // the key\n}\n",
  [`${M}/0001_a.sql`]: A,
  [`${M}/0002_by_hand.sql`]: "SELECT 1;\r\n",
  [`${M}/meta/_snapshot.prisma`]: "// as it was\nmodel A {\n  id Int @id\n}\n",
  [`${M}/meta/_journal.json`]: '{"entries":[{"idx":1,"name":"0001_a","time":"2026-11-21"}]}',
  [`${M}/meta/_checksums.sha256`]: `${sha256(A)}  0001_a.sql\n${sha256("SELECT 1;\n")}  0002_by_hand.sql\n`,
};

const CHECKS = {
  version: (files: Record<string, string>) => checkVersion(memoryTree(files), { version: "1.0.0" }),
  migrations: (files: Record<string, string>) => checkMigrations(memoryTree(files)),
  journal: (files: Record<string, string>) => checkJournal(memoryTree(files)),
  lockfile: (files: Record<string, string>) => checkLockfile(memoryTree(files)),
};

test("a whole project passes every check", () => {
  for (const check of Object.values(CHECKS)) expect(check(WHOLE).status).toBe("pass");
});

const without = (file: keyof typeof WHOLE | string) =>
  Object.fromEntries(Object.entries(WHOLE).filter(([name]) => name !== file));
const withFile = (file: string, text: string) => ({ ...WHOLE, [file]: text });
const withPackage = (change: object) =>
  withFile("package.json", JSON.stringify({ ...PACKAGE, ...change }));

test.each([
  [
    "version",
    withPackage({ version: "1.1.0" }),
    ["newest release is 1.0.0", "manifest.json is of 1"],
  ],
  ["version", withPackage({ version: "one" }), ["not a semantic", "newest", "manifest"]],
  ["version", without("CHANGELOG.md"), ["newest release is missing", "line 1"]],
  ["migrations", withFile(`${M}/0001_a.sql`, "DROP TABLE a;"), ["0001_a.sql was edited"]],
  ["migrations", without(`${M}/0001_a.sql`), ["0001_a.sql is gone"]],
  ["migrations", withFile(`${M}/0003_c.sql`, ""), ["0003_c.sql is new"]],
  ["migrations", without(`${M}/meta/_checksums.sha256`), ["0001_a.sql is new", "0002_by_hand.sql"]],
  ["journal", without(`${M}/meta/_journal.json`), ["missing or damaged"]],
  ["journal", withFile(`${M}/meta/_journal.json`, "<<<<<<< ours"), ["missing or damaged"]],
  ["journal", without(`${M}/0001_a.sql`), ["names 0001_a.sql"]],
  ["journal", without(`${M}/meta/_snapshot.prisma`), ["_snapshot.prisma is not there"]],
  ["lockfile", without("package-lock.json"), ["is missing: npm install"]],
  ["lockfile", withPackage({ version: "1.0.1" }), ["is of 1.0.0, package.json of 1.0.1"]],
  ["lockfile", withPackage({ engines: { node: ">=22" } }), ["has other engines"]],
  [
    "lockfile",
    withPackage({ dependencies: { pg: "8.0.0", zod: "4.0.0" } }),
    ["has other dependencies", "lacks zod"],
  ],
] as [keyof typeof CHECKS, Record<string, string>, string[]][])(
  "%s fails, case %#: and says what",
  (id, files, lines) => {
    const check = CHECKS[id](files);
    expect(check).toMatchObject({ id, status: "fail" });
    expect(check.lines).toEqual(lines.map((line) => expect.stringContaining(line)));
  },
);

test("a schema that went on without a migration is a warning: comments may have changed alone", () => {
  const changed = withFile("prisma/schema.prisma", "model A {\n  id BigInt @id\n}\n");
  expect(checkJournal(memoryTree(changed)).status).toBe("warn");
});

test("what is new is recorded; what was released and edited is refused", () => {
  const edited = withFile(`${M}/0001_a.sql`, "DROP TABLE a;");
  const tree = memoryTree({ ...edited, [`${M}/0003_c.sql`]: "SELECT 3;" });
  const { text, notes } = recordChecksums(tree, { version: "1.0.0", files: {} });
  expect(text.split("\n").map((line) => line.slice(64))).toEqual([
    "  0001_a.sql",
    "  0002_by_hand.sql",
    "  0003_c.sql",
    "",
  ]);
  expect(notes).toEqual([
    "recorded 0003_c.sql",
    "recorded 0001_a.sql again: a database that has had it will refuse it",
  ]);
  const released = { version: "1.0.0", files: { [`${M}/0001_a.sql`]: "" } };
  expect(() => recordChecksums(tree, released)).toThrow("0001_a.sql: part of release 1.0.0");
});
