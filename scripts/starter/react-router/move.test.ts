import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LOCKFILE, moveToReactRouter, TAKE_BACK } from "./move";
import { ADDED } from "./places";

/** A repository with the project in it, or in a folder of it. */
function createProject(below: string): string {
  const top = mkdtempSync(path.join(os.tmpdir(), "move-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const folder = path.join(top, below);
  mkdirSync(path.join(folder, path.dirname(LOCKFILE)), { recursive: true });
  writeFileSync(path.join(folder, LOCKFILE), "{}");
  writeFileSync(path.join(folder, "package.json"), "{}");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: top, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-m", "Begin");
  git("switch", "-c", "react-router");
  return folder;
}

const statusOf = (folder: string) =>
  execFileSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" });

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
  const bin = mkdtempSync(path.join(os.tmpdir(), "bin-"));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  writeFileSync(path.join(bin, "npm"), `#!/bin/sh\necho "$@" > ${bin}/called\n`, { mode: 0o755 });
  const PATH = `${bin}${path.delimiter}${process.env.PATH}`;
  execFileSync("sh", ["-c", TAKE_BACK], {
    cwd: folder,
    stdio: "ignore",
    env: { ...process.env, PATH },
  });
  expect(statusOf(folder)).toBe("?? added-since.ts\n");
  expect(readFileSync(path.join(bin, "called"), "utf8")).toBe("ci\n");
});
