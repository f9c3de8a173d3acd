import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { toMigration } from "../migrations-folder";
import { lintMigrations } from "./lint-migrations";

function lint(sqlByName: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), "lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(sqlByName).map(([name, sql]) => {
    writeFileSync(path.join(folder, name), sql);
    return toMigration(name, Buffer.from(sql));
  });
  return lintMigrations({ folder }, files);
}

const rulesOf = (sql: string) => lint({ "0001_a.sql": sql }).map(({ rule }) => rule);

test.each([
  ["DROP TABLE old", ["ban-drop-table"]],
  ["ALTER TABLE old DROP a", ["ban-drop-column"]],
  ["ALTER TABLE old RENAME a TO c", ["renaming-column"]],
  ["ALTER TABLE old RENAME TO new", ["renaming-table"]],
  ["ALTER TABLE old ALTER a TYPE bigint", ["changing-column-type"]],
  ["ALTER TABLE old ALTER a SET NOT NULL", ["adding-not-nullable-field"]],
  ["ALTER TABLE old ADD c int NOT NULL", ["adding-required-field"]],
  ["ALTER TABLE old ADD c uuid DEFAULT gen_random_uuid()", ["adding-field-with-default"]],
  ["ALTER TABLE old ADD CHECK (a > 0)", ["constraint-missing-not-valid"]],
  ["CREATE UNIQUE INDEX ON old (a)", ["require-concurrent-index-creation"]],
  ["DROP INDEX old_idx", ["require-concurrent-index-deletion"]],
  [
    "SELECT 1; CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON old (a)",
    ["ban-concurrent-index-creation-in-transaction"],
  ],
  ["-- no-transaction\nCREATE INDEX CONCURRENTLY i ON old (a)", ["prefer-robust-stmts"]],
  ["UPDATE old SET a = 1", ["whole-table-write"]],
  ["DELETE FROM old -- where", ["whole-table-write"]],
  ["TRUNCATE old", ["whole-table-write"]],
  ["SELEC 1", ["syntax-error", "syntax-error"]],
])("%s breaks %j", (sql, rules) => {
  expect(rulesOf(`${sql};`)).toEqual(rules);
});

test.each([
  "CREATE TABLE fresh (id serial, a int); CREATE INDEX ON fresh (a)",
  "ALTER TABLE old ADD c int",
  "ALTER TABLE old ADD c timestamptz(6) NOT NULL DEFAULT now()",
  "ALTER TABLE old ADD CONSTRAINT x FOREIGN KEY (a) REFERENCES other NOT VALID",
  "ALTER TABLE old VALIDATE CONSTRAINT x",
  "-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS i ON old (a)",
  "ALTER TYPE mood ADD VALUE 'new'",
  "UPDATE old SET a = 1 WHERE a IS NULL",
  "DELETE FROM old WHERE true",
  "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ DELETE FROM old; SELECT 1 $$",
])("%s is safe", (sql) => {
  expect(rulesOf(`${sql};`)).toEqual([]);
});

const IGNORED = "-- squawk-ignore ban-drop-column\nALTER TABLE old DROP a;";

test("a comment with a reason above it allows its rule", () => {
  expect(rulesOf(`-- No release since 1.2\n-- reads it.\n${IGNORED}`)).toEqual([]);
});

test.each([
  ["no reason", IGNORED],
  ["only what db:generate writes", `-- AlterTable\n${IGNORED}`],
  ["a reason elsewhere", `-- No release since 1.2 reads it.\nSELECT 1;\n${IGNORED}`],
])("a comment that allows a rule with %s is reported", (_name, sql) => {
  expect(rulesOf(sql)).toEqual(["unexplained-ignore"]);
});

test("findings name the file and the line, in the order of the files", () => {
  const found = lint({
    "0001_a.sql": "-- no-transaction\nDROP INDEX CONCURRENTLY old_idx;",
    "0002_b.sql": "SELECT 1;\n\nUPDATE old SET a = 1;\nDROP TABLE old;",
  });
  expect(found.map(({ file, line, rule }) => `${file}:${line} ${rule}`)).toEqual([
    "0001_a.sql:2 prefer-robust-stmts",
    "0002_b.sql:3 whole-table-write",
    "0002_b.sql:4 ban-drop-table",
  ]);
});
