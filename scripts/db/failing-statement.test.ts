import { expect, test } from "vitest";
import { locateFailure } from "./failing-statement";

const SQL = "-- first\nSELECT 1;\n\nSELECT '😀'\n  , nope;\nSELECT 3";
const positionOf = (text: string) => String([...SQL.slice(0, SQL.indexOf(text))].length + 1);

test.each([
  [
    "the position leads to its own line",
    { position: positionOf("nope"), completed: 0 },
    5,
    "SELECT '😀'",
  ],
  [
    "without a position the count leads to the statement",
    { position: undefined, completed: 2 },
    6,
    "SELECT 3",
  ],
  [
    "a position at the end is the last statement's",
    { position: positionOf("3"), completed: 0 },
    6,
    "SELECT 3",
  ],
])("%s", (_rule, failure, line, statement) => {
  expect(locateFailure(SQL, failure)).toEqual({ line, statement });
});

test("a count beyond the statements leads nowhere rather than to a wrong one", () => {
  expect(locateFailure(SQL, { position: undefined, completed: 3 })).toBeNull();
  expect(locateFailure("-- nothing", { position: "1", completed: 0 })).toBeNull();
});

test("a statement is quoted by its first line, cut at 120 characters", () => {
  const place = (sql: string) =>
    locateFailure(sql, { position: undefined, completed: 0 })?.statement;
  expect(place(`SELECT ${"😀".repeat(113)}`)).toBe(`SELECT ${"😀".repeat(113)}`);
  expect(place(`SELECT ${"😀".repeat(114)}`)).toBe(`SELECT ${"😀".repeat(112)}…`);
});
