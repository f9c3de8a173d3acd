import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { linkPackages } from "./moved-copy";

function createPackages(): { from: string; to: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "linked-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const from = path.join(folder, "one");
  mkdirSync(path.join(from, "package"), { recursive: true });
  writeFileSync(path.join(from, "package/index.js"), "");
  writeFileSync(path.join(from, ".package-lock.json"), "first");
  return { from, to: path.join(folder, "other") };
}

test("the copy's packages are links, and npm's list of them is not", () => {
  const { from, to } = createPackages();
  linkPackages(from, to);
  expect(statSync(path.join(to, "package/index.js")).nlink).toBe(2);
  writeFileSync(path.join(to, ".package-lock.json"), "second");
  expect(readFileSync(path.join(from, ".package-lock.json"), "utf8")).toBe("first");
});

test("the copy has no caches that a tool writes into", () => {
  const { from, to } = createPackages();
  mkdirSync(path.join(from, ".vite/vitest"), { recursive: true });
  writeFileSync(path.join(from, ".vite/vitest/results.json"), "");
  linkPackages(from, to);
  expect(readdirSync(to).sort()).toEqual([".package-lock.json", "package"]);
});

test("packages are copied to another file system, where no link can be made", () => {
  const { from, to } = createPackages();
  // As cp does there: folders are made, and each file fails.
  const bin = mkdtempSync(path.join(os.tmpdir(), "bin-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(bin, { recursive: true });
  });
  const { PATH = "" } = process.env;
  const cp = `[ "$1" = -al ] && mkdir -p "$3/package" && exit 1\nPATH='${PATH}' exec cp "$@"`;
  writeFileSync(path.join(bin, "cp"), `#!/bin/sh\n${cp}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}${path.delimiter}${PATH}`);
  linkPackages(from, to);
  expect(statSync(path.join(to, "package/index.js")).nlink).toBe(1);
  expect(readFileSync(path.join(to, ".package-lock.json"), "utf8")).toBe("first");
});
