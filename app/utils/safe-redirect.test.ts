import { expect, test } from "vitest";
import { safeRedirect } from "~/utils/safe-redirect";

test.each(["/en/files", "/en/files?a=1#b", "/"])("%j on this site is kept", (path) => {
  expect(safeRedirect(path, "/fallback")).toBe(path);
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "javascript:alert(1)",
  "http:/evil.example",
  "http:evil.example",
  "",
  null,
  undefined,
  { toString: () => "/en" },
])("%j falls back", (attack) => {
  const result = safeRedirect(attack, "/fallback");
  expect(new URL(result, "https://site.example").origin).toBe("https://site.example");
  expect(result).toBe("/fallback");
});
