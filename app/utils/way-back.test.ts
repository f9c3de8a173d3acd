import { expect, test } from "vitest";
import { MAX_WAY_BACK, readWayBack, wayBack, wayBackOf } from "~/utils/way-back";

const pathOf = (length: number) => `/${"a".repeat(length - 1)}`;

test.each(["/en/files", "/en/files?a=1#b", "/", pathOf(MAX_WAY_BACK)])("%j is kept", (path) => {
  expect(readWayBack(path)).toBe(path);
  expect(wayBack.parse(path)).toBe(path);
});

test.each([
  "https://evil.example/en",
  "//evil.example",
  "/\\evil.example",
  "",
  pathOf(MAX_WAY_BACK + 1),
  // 500 characters, and 3,000 in an address.
  `/${"é".repeat(499)}`,
  undefined,
  null,
  7,
  ["/en", "/es"],
])("%j is dropped, and refuses no form", (value) => {
  expect(readWayBack(value)).toBeUndefined();
  expect(wayBack.parse(value)).toBeUndefined();
});

test("the address of a request gives its way back by the same rule", () => {
  const of = (redirectTo: string) =>
    wayBackOf(new Request(`https://site.example/en?${new URLSearchParams({ redirectTo })}`));
  expect(of("/en/files")).toBe("/en/files");
  expect(of("//evil.example")).toBeUndefined();
  expect(of(pathOf(MAX_WAY_BACK + 1))).toBeUndefined();
});
