import { expect, test } from "vitest";
import { memoryTree } from "#tests/helpers/memory-tree";
import { sha256 } from "../../db/migrations-folder";
import { recordMigrations } from "../journal";
import { checkLockfile } from "./check-lockfile";
import { checkMigrations } from "./check-migrations";
import { checkSnapshot } from "./check-snapshot";
import { checkVersion } from "./check-version";

const M = "prisma/migrations";
const A = "CREATE TABLE a ();\n";
const PACKAGE = {
  version: "1.0.0",
  dependencies: { pg: "8.0.0" },
  engines: { node: ">=20" },
};
const JOURNAL = `${sha256(A)}  0001_a.sql\n${sha256("SELECT 1;\n")}  0002_by_hand.sql\n`;
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
  [`${M}/meta/_journal.sha256`]: JOURNAL,
};

const CHECKS = {
  version: (files: Record<string, string>) => checkVersion(memoryTree(files)),
  migrations: (files: Record<string, string>) => checkMigrations(memoryTree(files)),
  snapshot: (files: Record<string, string>) => checkSnapshot(memoryTree(files)),
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
  ["version", withPackage({ version: "1.1.0" }), ["newest release is 1.0.0"]],
  ["version", withPackage({ version: "one" }), ["not a semantic"]],
  ["version", withFile("CHANGELOG.md", "# News"), ["line 1"]],
  ["migrations", withFile(`${M}/0001_a.sql`, "DROP TABLE a;"), ["0001_a.sql is not what was"]],
  ["migrations", without(`${M}/0001_a.sql`), ["0001_a.sql is gone"]],
  ["migrations", withFile(`${M}/20261125093012_c.sql`, ""), ["20261125093012_c.sql is not in"]],
  ["migrations", without(`${M}/meta/_journal.sha256`), ["0001_a.sql is not", "0002_by_hand.sql"]],
  [
    "migrations",
    withFile(`${M}/meta/_journal.sha256`, `${JOURNAL}${sha256("other")}  0001_a.sql\n`),
    ["0001_a.sql is not what was"],
  ],
  ["snapshot", without(`${M}/meta/_snapshot.prisma`), ["_snapshot.prisma is not there"]],
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

test.each([
  ["no changelog", without("CHANGELOG.md")],
  ["released nothing", withFile("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n")],
])("a product may have %s", (_what, files) => {
  expect(checkVersion(memoryTree(files)).status).toBe("pass");
});

test("a schema that went on without a migration is a warning: comments may have changed alone", () => {
  const changed = withFile("prisma/schema.prisma", "model A {\n  id BigInt @id\n}\n");
  expect(checkSnapshot(memoryTree(changed)).status).toBe("warn");
});

test("the lines of a merged journal may stand in any order: recording sorts them and adds what is new", () => {
  const merged = JOURNAL.split("\n").filter(Boolean).reverse().join("\n");
  const files = { ...WHOLE, [`${M}/meta/_journal.sha256`]: `${merged}\n` };
  expect(checkMigrations(memoryTree(files)).status).toBe("pass");
  const tree = memoryTree({ ...files, [`${M}/20261125093012_c.sql`]: "SELECT 3;" });
  expect(recordMigrations(tree)).toEqual({
    text: `${JOURNAL}${sha256("SELECT 3;")}  20261125093012_c.sql\n`,
    added: ["20261125093012_c.sql"],
  });
});

test.each([
  ["edited", withFile(`${M}/0001_a.sql`, "DROP TABLE a;")],
  ["deleted", without(`${M}/0001_a.sql`)],
])("what was recorded and then %s is not recorded again", (_what, files) => {
  expect(() => recordMigrations(memoryTree(files))).toThrow("0001_a.sql: edited or gone");
});
