import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { LOCKFILE, moveToReactRouter, TAKE_BACK } from "./move";
import { ADDED } from "./places";

/** A repository with the project in it, or in a folder of it, and more files. */
function createProject(below: string, files: Record<string, string> = {}): string {
  const top = mkdtempSync(path.join(os.tmpdir(), "move-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const folder = path.join(top, below);
  mkdirSync(path.join(folder, path.dirname(LOCKFILE)), { recursive: true });
  writeFileSync(path.join(folder, LOCKFILE), "{}");
  for (const [file, text] of Object.entries({ "package.json": "{}", ...files }))
    writeFileSync(path.join(folder, file), text);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: top, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-m", "Begin");
  git("switch", "-c", "react-router");
  return folder;
}

const statusOf = (folder: string) =>
  execFileSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" });

/** Has `npm` run `then` instead, until the test ends. Returns the arguments of each call so far. */
function standInForNpm(then: string): () => string[] {
  const bin = mkdtempSync(path.join(os.tmpdir(), "bin-"));
  vi.stubEnv("PATH", `${bin}${path.delimiter}${process.env.PATH}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(bin, { recursive: true });
  });
  const called = path.join(bin, "called");
  writeFileSync(path.join(bin, "npm"), `#!/bin/sh\necho "$@" >> ${called}\n${then}\n`, {
    mode: 0o755,
  });
  return () => readFileSync(called, "utf8").trim().split("\n");
}

test.each(["", "apps/web"])(
  "a project in %o of a repository is not moved while it has uncommitted changes",
  async (below) => {
    const folder = createProject(below);
    writeFileSync(path.join(folder, "package.json"), '{"private": true}');
    const before = statusOf(folder);
    await expect(moveToReactRouter(folder, () => {})).rejects.toThrow("not committed");
    expect(statusOf(folder)).toBe(before);
  },
);

test("a new file is seen where the person's settings hide new files", async () => {
  const folder = createProject("");
  execFileSync("git", ["config", "status.showUntrackedFiles", "no"], { cwd: folder });
  writeFileSync(path.join(folder, "mine.ts"), "");
  expect(statusOf(folder)).toBe("");
  await expect(moveToReactRouter(folder, () => {})).rejects.toThrow("not committed");
});

test("the document has the command that takes the move back", () => {
  expect(readFileSync("docs/upgrade.md", "utf8")).toContain(TAKE_BACK);
});

test("the command that takes the move back leaves nothing of it", () => {
  const folder = createProject("");
  writeFileSync(path.join(folder, "package.json"), '{"private": true}');
  for (const [file, text] of Object.entries(ADDED)) writeFileSync(path.join(folder, file), text);
  expect(statusOf(folder)).not.toBe("");
  const mine = path.join(folder, "added-since.ts");
  writeFileSync(mine, "");
  // The packages of before are installed by an npm that says so.
  const calls = standInForNpm("exit 0");
  execFileSync("sh", ["-c", TAKE_BACK], {
    cwd: folder,
    stdio: "ignore",
  });
  expect(statusOf(folder)).toBe("?? added-since.ts\n");
  expect(calls()).toEqual(["ci"]);
});

const CODE = {
  "tsconfig.json": '{ "include": ["*.ts"] }',
  "one.ts": `import { redirect } from "@remix-run/node";\n`,
};
const DEFER = { "two.ts": `import { defer } from "@remix-run/node";\n` };
const PACKAGE = { "package.json": '{ "dependencies": { "own": "1.0.0" } }' };
const WRITTEN_ANEW = "package-lock.json was written anew: look at your own packages in its diff";

async function move(folder: string) {
  const lines: string[] = [];
  const code = await moveToReactRouter(folder, (line) => lines.push(line)).catch(String);
  return { code, lines, byHand: lines.filter((line) => line.startsWith("by hand")) };
}

test("a move with nothing left to a person ends with 0, and packages' scripts run", async () => {
  const folder = createProject("", CODE);
  const calls = standInForNpm("exit 0");
  const { code, lines, byHand } = await move(folder);
  expect([code, byHand]).toEqual([0, []]);
  expect(lines).not.toContain(WRITTEN_ANEW);
  expect(calls()[0]).toBe("install");
  expect(readFileSync(path.join(folder, "one.ts"), "utf8")).toContain('from "react-router"');
  expect(existsSync(path.join(folder, LOCKFILE))).toBe(false);
});

test("the new lockfile is told where the project has packages of its own", async () => {
  const folder = createProject("", { ...CODE, ...PACKAGE });
  standInForNpm("exit 0");
  const { code, lines } = await move(folder);
  expect(code).toBe(0);
  expect(lines).toContain(WRITTEN_ANEW);
});

test("a failed install says what is left to a person, and how to take the move back", async () => {
  const folder = createProject("", { ...CODE, ...DEFER });
  standInForNpm("exit 1");
  const { code, byHand } = await move(folder);
  expect(code).toContain(TAKE_BACK);
  expect(byHand).toEqual([expect.stringContaining("two.ts:1: React Router has no defer")]);
});

test("code that can't be rewritten stops the move before it has changed anything", async () => {
  const folder = createProject("", { "tsconfig.json": "no JSON" });
  const { code } = await move(folder);
  expect(code).toContain(TAKE_BACK);
  expect(statusOf(folder)).toBe("");
});

test("an error between two files says how to take the move back, and the command is still there", async () => {
  const folder = createProject("", { ...CODE, "biome.json": "" });
  rmSync(path.join(folder, "biome.json"));
  mkdirSync(path.join(folder, "biome.json"));
  execFileSync("git", ["update-index", "--assume-unchanged", "biome.json"], { cwd: folder });
  const { code } = await move(folder);
  expect(code).toMatch(/EISDIR.*takes everything back/);
  expect(readFileSync(path.join(folder, "one.ts"), "utf8")).toContain('from "react-router"');
  expect(existsSync(path.join(folder, LOCKFILE))).toBe(true);
});
