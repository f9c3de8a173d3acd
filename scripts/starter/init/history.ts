import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

const git = (folder: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

const isClone = (folder: string): boolean => existsSync(path.join(folder, ".git"));

/** Throws if the clone has changes: they could not be told from those of `starter:init`. */
export function requireCleanClone(folder: string): void {
  if (isClone(folder) && git(folder, "status", "--porcelain") !== "")
    throw new Error("this clone has changes that are not committed: commit or stash them first");
}

/** Throws if Git would refuse a commit because it knows nobody's name. */
export function requireCommitter(folder: string): void {
  try {
    execFileSync("git", ["var", "GIT_COMMITTER_IDENT"], { cwd: folder, stdio: "ignore" });
  } catch {
    throw new Error(
      "--git: Git doesn't know you: git config --global user.name <name>, and user.email",
    );
  }
}

/** The starter's version, and its commit where there is one, for people. */
export function describeOrigin(folder: string): string {
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const commit = isClone(folder)
    ? `, commit ${git(folder, "rev-parse", "--short=12", "HEAD")}`
    : "";
  return `Remix Credits Starter ${version}${commit}`;
}

/**
 * Begins a new history on the branch main. Its first commit has exactly the starter's files, by which
 * `npm run starter:upgrade` later finds where the product came from.
 */
export function beginHistory(folder: string, origin: string): void {
  rmSync(path.join(folder, ".git"), { recursive: true, force: true });
  git(folder, "init", "--quiet", "--initial-branch=main");
  commitAll(folder, `Begin with ${origin}`);
}

export function commitAll(folder: string, message: string): void {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", message);
}
