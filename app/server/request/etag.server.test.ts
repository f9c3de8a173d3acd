import { expect, test } from "vitest";
import { etagOf, isAmong } from "./etag.server";

test("the same bytes have the same tag, and other bytes another one", () => {
  expect(etagOf("a", Buffer.from("b"))).toBe(etagOf("a", Buffer.from("b")));
  expect(etagOf("a", "b")).not.toBe(etagOf("a", "c"));
  expect(etagOf("ab", "c")).not.toBe(etagOf("a", "bc"));
});

test.each([
  ['"tag"', true],
  ['W/"tag"', true],
  ['"other", W/"tag"', true],
  ["*", true],
  ['"other"', false],
  ["tag", false],
  ["", false],
  [undefined, false],
])("If-None-Match %j names the tag: %s", (header, expected) => {
  expect(isAmong('"tag"', header)).toBe(expected);
});
