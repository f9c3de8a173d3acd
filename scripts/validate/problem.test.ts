import { expect, test } from "vitest";
import { formatProblems, lineAt } from "./problem";

test("problems are one line each, by file and line", () => {
  const problems = [
    { file: "b.md", line: 1, text: "one" },
    { file: "a.md", line: 10, text: "two" },
    { file: "a.md", line: 9, text: "three" },
  ];
  expect(formatProblems(problems)).toEqual(["a.md:9: three", "a.md:10: two", "b.md:1: one"]);
});

test("an offset's line counts from 1", () => {
  expect([0, 1, 2, 3].map((offset) => lineAt("a\n\nb", offset))).toEqual([1, 1, 2, 3]);
});
