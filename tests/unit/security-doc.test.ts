import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every file and test named in docs/security.md exists", () => {
  const text = readFileSync("docs/security.md", "utf8");
  const named = [...text.matchAll(/`((?:app|docker|scripts|security|tests)\/[^`]+)`/g)];
  const files = named.map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
