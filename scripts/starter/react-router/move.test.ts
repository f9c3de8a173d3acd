import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

test("the command that takes the move back leaves nothing of it", () => {
  const folder = createProject("");
  writeFileSync(path.join(folder, "package.json"), '{"private": true}');
  for (const [file, text] of Object.entries(ADDED)) writeFileSync(path.join(folder, file), text);
  expect(statusOf(folder)).not.toBe("");
  execFileSync("sh", ["-c", TAKE_BACK], { cwd: folder, stdio: "ignore" });
  expect(statusOf(folder)).toBe("");
});
