import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { folderTree } from "../../scripts/starter/tree";
import { runScript } from "./run-script";
import { writeIn } from "./write-in";

export interface ProjectCopy {
  folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  edit(file: string, change: (text: string) => string): void;
  remove(file: string): void;
  git(...args: string[]): string;
  run(script: string, args?: string[], env?: Record<string, string>): ReturnType<typeof runScript>;
}

/** npm installs some ten thousand files in the copy. */
const REMOVAL_MS = 5 * 60_000;

/**
 * Copies this project's own files to a folder that a test may change, as a git repository with one
 * commit. Our installed packages are in a folder above it: Node finds them there, and `npm ci` in
 * the copy doesn't.
 */
export function copyProject(): ProjectCopy {
  const parent = mkdtempSync(path.join(tmpdir(), "project-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }), REMOVAL_MS);
  symlinkSync(path.resolve("node_modules"), path.join(parent, "node_modules"));
  const folder = path.join(parent, "copy");
  mkdirSync(folder);
  const at = (file: string) => path.join(folder, file);
  const copy: ProjectCopy = {
    folder,
    read: (file) => readFileSync(at(file), "utf8"),
    write: (file, text) => writeIn(folder, file, text),
    edit: (file, change) => copy.write(file, change(copy.read(file))),
    remove: (file) => rmSync(at(file)),
    git: (...args) =>
      execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
        cwd: folder,
        encoding: "utf8",
      }),
    run: (script, args = [], env = {}) => runScript(script, args, env, folder),
  };
  for (const file of folderTree(".").list()) cpSync(file, at(file));
  cpSync("app/generated", at("app/generated"), { recursive: true });
  copy.git("init", "-q");
  copy.git("add", "-A");
  copy.git("commit", "-qm", "The starter");
  return copy;
}
