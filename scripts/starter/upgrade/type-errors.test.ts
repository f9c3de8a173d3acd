import { expect, test } from "vitest";
import { describeTypeErrors, sortTypeErrors } from "./type-errors";

const PRINTED = `app/ours.ts(1,7): error TS2322: Type 'number' is not assignable.
  Type 'number' is of another kind.
app/env.server.ts(4,2): error TS1005: ',' expected.
tests/ours (1).test.ts(9,1): error TS2304: Cannot find name 'x'.
`;

test("type errors are sorted by the owner of the file, with the lines that belong to them", () => {
  const errors = sortTypeErrors(PRINTED, new Set(["app/ours.ts", "tests/ours (1).test.ts"]));
  const [first, more, starters, last] = PRINTED.split("\n");
  expect(errors).toEqual({ yours: [first, more, last], starters: [starters] });
  expect(describeTypeErrors(errors)).toEqual([
    "yours, in files that you added or changed:",
    ...[first, more, last].map((line) => `  ${line}`),
    "the starter's, in files that are as it has them:",
    `  ${starters}`,
  ]);
});

test("what the compiler says of no file counts as the starter's", () => {
  const line = "error TS5083: Cannot read file 'tsconfig.base.json'.";
  expect(sortTypeErrors(line, new Set())).toEqual({ yours: [], starters: [line] });
});
