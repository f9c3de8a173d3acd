import { expect, test } from "vitest";
import { ASVS_ITEMS } from "./asvs-items";
import { checkAsvs, withTotals } from "./check-asvs";

const TEST_FILE = "tests/a.test.ts";
const PROOF = `as shown by \`${TEST_FILE}\`: "a wrong password"`;

/** A whole document in which every item is met, but for the rows that are given another text. */
function docWith(rows: Record<string, string>): string {
  const lines = ASVS_ITEMS.filter(({ level }) => level < 3).map(
    ({ id, level }) => rows[id] ?? `| ${id} | ${level} | something | met | ${PROOF} |`,
  );
  const text = ["<!-- totals -->", "", "none", "", "<!-- /totals -->", "", ...lines].join("\n");
  return withTotals(text);
}

const check = (text: string) =>
  checkAsvs({
    doc: { file: "docs/asvs.md", text },
    titlesOf: (file) => (file === TEST_FILE ? ["a wrong password is refused"] : null),
  }).map((problem) => problem.text);

test("the standard has 70 items of level 1, 183 of level 2 and 92 of level 3", () => {
  const count = (of: number) => ASVS_ITEMS.filter(({ level }) => level === of).length;
  expect([count(1), count(2), count(3)]).toEqual([70, 183, 92]);
});

test("a whole table has no faults, and totals of its rows", () => {
  const text = docWith({
    "1.1.1": "| 1.1.1 | 2 | decoding once | not applicable | nothing is decoded |",
    "6.1.1": "| 6.1.1 | 1 | limits written down | met | [limits](http-api.md#rate-limits) |",
    "12.1.1":
      "| 12.1.1 | 1 | TLS | operator | [TLS](production-checklist.md#before-the-first-deploy) |",
  });
  expect(check(text)).toEqual([]);
  expect(text).toContain("| both | 251 | 1 | 1 | 0 | 253 |");
});

test.each([
  ["", "there is no row for 1.2.1: add one"],
  ["| 1.2.1 | 1 | a | done | b |", '1.2.1 is "done": write met, not applicable, operator, not met'],
  ["| 1.2.1 | 2 | a | not met | b |", "1.2.1 is of level 1"],
  ["| 1.2.1 | 1 | a | not met | |", "1.2.1 has an empty cell: fill it in"],
  ["| 1.2.1 | 1 | a | met | [a page](security.md) |", "1.2.1 is met without proof"],
  ['| 1.2.1 | 1 | a | met | `tests/b.test.ts`: "x" |', "1.2.1: there is no tests/b.test.ts"],
  [`| 1.2.1 | 1 | a | met | \`${TEST_FILE}\` |`, `1.2.1: say which test of ${TEST_FILE}`],
  [`| 1.2.1 | 1 | a | met | \`${TEST_FILE}\`: "gone" |`, 'no test whose title contains "gone"'],
  ['| 1.2.1 | 1 | a | not met | `tests/b.test.ts`: "x" |', "1.2.1: there is no tests/b.test.ts"],
  ["| 1.2.1 | 1 | a | operator | b |", "1.2.1 is the operator's: link to the line"],
])("the row %j is a fault", (row, fault) => {
  const text = docWith({ "1.2.1": row });
  expect(check(text)).toEqual([expect.stringContaining(fault)]);
});

test("an item that stands twice, and one of level 3, are faults", () => {
  const text = docWith({
    "1.2.1": `| 1.2.1 | 1 | a | not met | b |\n| 1.2.1 | 1 | a | not met | b |`,
    "1.2.9": `| 1.2.9 | 2 | a | not met | b |\n| 1.2.10 | 3 | a | not met | b |`,
  });
  expect(check(text)).toEqual([
    "1.2.1 has a row already: keep one",
    "1.2.10 is not an item of level 1 or 2: remove the row",
  ]);
});

test.each(["| both | 252 | 0 | 0 | 0 | 253 |", ""])("totals that read %j are a fault", (line) => {
  const text = docWith({}).replace("| both | 253 | 0 | 0 | 0 | 253 |", line);
  expect(check(text)).toEqual([expect.stringContaining("totals are wrong")]);
});

test("a document without totals is a fault", () => {
  const text = docWith({}).replace("<!-- totals -->", "");
  expect(check(text)).toEqual([expect.stringContaining("totals are wrong")]);
});
