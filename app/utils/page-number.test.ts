import { expect, test } from "vitest";
import { pageNumber } from "~/utils/page-number";

test.each([
  ["3", 3],
  ["2.9", 2],
  [null, 1],
  ["", 1],
  ["0", 1],
  ["-4", 1],
  ["x", 1],
  ["1e99", 100_000],
  ["Infinity", 100_000],
])("the address's page %j is page %i", (text, page) => {
  expect(pageNumber(text)).toBe(page);
});
