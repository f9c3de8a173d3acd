import { expect, test } from "vitest";
import { withoutTrailingSlashes } from "~/utils/trailing-slashes";

test.each([
  ["", ""],
  ["/", ""],
  ["a", "a"],
  ["/a//b///", "/a//b"],
])("%j without the slashes at its end is %j", (text, expected) => {
  expect(withoutTrailingSlashes(text)).toBe(expected);
});

test("a million slashes that are not at the end take no time", () => {
  const text = `${"/".repeat(1_000_000)}x`;
  const began = performance.now();
  expect(withoutTrailingSlashes(text)).toBe(text);
  expect(performance.now() - began).toBeLessThan(10_000);
});
