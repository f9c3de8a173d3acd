import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkBuild, HASH_FILE, noteSources } from "./build-state.mjs";

/** A project of three files with a build of them. */
function createProject() {
  const root = mkdtempSync(path.join(os.tmpdir(), "build-state-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  write("vite.config.ts", "export default {}");
  write("app/root.tsx", "a page");
  write("scripts/start.ts", "the server");
  mkdirSync(path.join(root, "build"));
  noteSources(root);
  return { root, write };
}

test("a build is fresh until a source changes, appears or disappears", () => {
  const { root, write } = createProject();
  expect(checkBuild(root)).toBe("fresh");
  write("app/root.tsx", "another page");
  expect(checkBuild(root)).toBe("stale");
  write("app/root.tsx", "a page");
  expect(checkBuild(root)).toBe("fresh");
  write("app/new.ts", "");
  expect(checkBuild(root)).toBe("stale");
  rmSync(path.join(root, "app/new.ts"));
  rmSync(path.join(root, "scripts/start.ts"));
  expect(checkBuild(root)).toBe("stale");
});

test("a copy of a project has a fresh build, though its files are newer", () => {
  const { root } = createProject();
  const copy = mkdtempSync(path.join(os.tmpdir(), "build-state-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(root, copy, { recursive: true });
  expect(checkBuild(copy)).toBe("fresh");
});

test("tests, the generated client and the tools for development make no build stale", () => {
  const { root, write } = createProject();
  for (const file of [
    "app/root.test.tsx",
    "app/generated/prisma/client.ts",
    "scripts/sandbox/a.ts",
    "docs/a.md",
  ])
    write(file, "text");
  expect(checkBuild(root)).toBe("fresh");
});

test("without its hash a build is missing, and without sources it is fresh", () => {
  const { root } = createProject();
  rmSync(path.join(root, "vite.config.ts"));
  rmSync(path.join(root, "app"), { recursive: true });
  expect(checkBuild(root)).toBe("fresh");
  rmSync(path.join(root, HASH_FILE));
  expect(checkBuild(root)).toBe("missing");
});
