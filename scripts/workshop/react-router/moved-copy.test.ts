import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linkPackages } from "./moved-copy";

test("the copy's packages are links, and npm's list of them is not", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "linked-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [path.join(folder, "one"), path.join(folder, "other")];
  mkdirSync(path.join(from, "package"), { recursive: true });
  writeFileSync(path.join(from, "package/index.js"), "");
  writeFileSync(path.join(from, ".package-lock.json"), "first");
  linkPackages(from, to);
  expect(statSync(path.join(to, "package/index.js")).nlink).toBe(2);
  writeFileSync(path.join(to, ".package-lock.json"), "second");
  expect(readFileSync(path.join(from, ".package-lock.json"), "utf8")).toBe("first");
});
