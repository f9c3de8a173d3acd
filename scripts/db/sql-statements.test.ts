import fc from "fast-check";
import { expect, test } from "vitest";
import { splitStatements } from "./sql-statements";

const textsOf = (sql: string) => splitStatements(sql).map(({ text }) => text);

test.each([
  ["strings", "SELECT 'a;b', 'it''s;'", "SELECT 1"],
  ["escape strings", String.raw`SELECT E'it\'s; \\', e'a'';'`, "SELECT 1"],
  ["plain strings that end in a backslash", String.raw`SELECT 'c:\'`, "SELECT 1"],
  ["quoted identifiers", 'SELECT 1 AS "a;""b;"', "SELECT 1"],
  ["line comments", "SELECT 1 -- one; and ' a quote\n + 1", "SELECT 1"],
  ["nested block comments", "SELECT /* a; /* b; */ '; */ 1", "SELECT 1"],
  ["dollar quotes", "DO $$ BEGIN PERFORM 1; END; $$", "SELECT 1"],
  ["tagged dollar quotes", "DO $ü1$ BEGIN PERFORM $$;$$; END; $ü1$", "SELECT 1"],
  ["dollars inside names and parameters", "SELECT a$b, $1", "SELECT c$b"],
  [
    "rules of several statements",
    "CREATE RULE r AS ON INSERT TO a DO (SELECT 1; SELECT 2)",
    "SELECT 1",
  ],
  [
    "bodies of standard SQL",
    "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END",
    "SELECT 1",
  ],
  ["the same words elsewhere", "ALTER TABLE begin RENAME COLUMN case TO x", "SELECT 1"],
])("%s do not split a statement", (_name, first, second) => {
  expect(textsOf(`${first};\n${second};\n`)).toEqual([first, second]);
});

test("space, comments and empty statements are no statements", () => {
  expect(textsOf(" \n-- nothing; here\n;;/* ; */\n")).toEqual([]);
  expect(textsOf("")).toEqual([]);
});

test("a statement starts after the comments before it", () => {
  const sql = "-- CreateTable\nCREATE TABLE a (id int);\n\n/* then */ SELECT 1";
  expect(splitStatements(sql).map(({ start }) => start)).toEqual([
    sql.indexOf("CREATE TABLE a"),
    sql.indexOf("SELECT"),
  ]);
});

test("whatever is unfinished ends with the text", () => {
  for (const open of [
    "SELECT 'a; b",
    'SELECT "a; b',
    "SELECT E'\\",
    "DO $x$ a; $$",
    "SELECT 1 /* ;",
  ]) {
    expect(splitStatements(open)).toHaveLength(1);
  }
});

test("any text is split without losing a character of a statement", () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    "$$",
    "$a$",
    ";",
    "E'",
    "\\",
    "/*",
    "*/",
    "--",
    "\n",
    " x ",
    "é😀",
    "(",
    ")",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const sql = pieces.join("");
      for (const { start, text } of splitStatements(sql)) {
        expect(sql.slice(start, start + text.length)).toBe(text);
        expect(text).not.toBe("");
      }
    }),
  );
});
