import { copyFileSync } from "node:fs";
import path from "node:path";
import { checkMigrations } from "../checks/check-migrations";
import { checkSnapshot, SNAPSHOT_FILE } from "../checks/check-snapshot";
import { folderTree, git, SCHEMA } from "../tree";
import { commitOf, type Upgrade } from "./read-upgrade";

export interface Merging {
  /** Runs Git and prints what it says. Throws if it fails. */
  git(...args: string[]): Promise<void>;
  print(line: string): void;
}

/** How a conflict in these files is resolved. */
const HINTS: Record<string, string> = {
  "package-lock.json":
    "resolve package.json, then npm install --package-lock-only, which mends this file",
  "docs/configuration.md":
    "generated: git checkout --theirs docs/configuration.md; after the merge, npm run validate:docs -- --write",
  [SNAPSHOT_FILE]: `resolve ${SCHEMA}: this file then follows by itself`,
};

/**
 * Merges the target into the current branch, or goes on with a merge whose conflicts a person has resolved
 * meanwhile. Changes nothing unless the project is committed, on a branch of its own, and whole.
 * @throws Error with the remedy, if it must not begin, or where a person has to resolve conflicts
 */
export async function mergeStarter(upgrade: Upgrade, merging: Merging): Promise<void> {
  const { folder, to, target, graft, base } = upgrade;
  const running = commitOf(folder, "MERGE_HEAD");
  if (running && running !== target)
    throw new Error("another merge is under way: finish it, or git merge --abort");
  if (!running) {
    requireCommitted(folder);
    requireOwnBranch(folder);
    requireWhole(folder);
    if (graft) await merging.git("replace", "--graft", graft, base);
    const message = `Upgrade the starter to ${to}`;
    const failure = await merging
      .git("merge", "--no-ff", "--message", message, target)
      .then(() => null)
      .catch((error: Error) => error);
    if (!failure) return;
    if (listUnmerged(folder).length === 0) throw failure;
  }
  await settleSnapshot(folder, merging);
  const open = [...new Set([...listUnmerged(folder), ...listMarked(folder)])];
  if (open.length > 0) {
    const deletions = listDeletions(folder);
    merging.print("In these files both sides changed the same lines, or one side deleted them:");
    for (const file of open)
      merging.print(`  ${[file, HINTS[file] ?? deletions.get(file)].filter(Boolean).join(": ")}`);
    throw new Error(
      "resolve these files, git add (or git rm) all but those that follow by themselves, and run the same command again; git merge --abort takes the merge back",
    );
  }
  await merging.git("commit", "--no-edit", "--cleanup=strip");
}

function requireCommitted(folder: string): void {
  if (git(folder, ["status", "--porcelain"])?.trim() === "") return;
  throw new Error("there are changes that are not committed: commit or stash them, then run again");
}

/** Refuses the main branch: an upgrade on a branch of its own can be thrown away. */
function requireOwnBranch(folder: string): void {
  const ask = (...args: string[]) => git(folder, args)?.trim() ?? "";
  const branch = ask("branch", "--show-current");
  const remote = ask("symbolic-ref", "--short", "refs/remotes/origin/HEAD").replace("origin/", "");
  if (branch && !["main", "master", remote].includes(branch)) return;
  throw new Error(
    `you are on ${branch || "no branch"}: git switch --create starter-upgrade, then run again`,
  );
}

/** Otherwise nobody could tell, after the merge, which side broke it. */
function requireWhole(folder: string): void {
  const tree = folderTree(folder);
  const faulty = [checkMigrations(tree), checkSnapshot(tree)].filter(
    ({ status }) => status !== "pass",
  );
  if (faulty.length === 0) return;
  throw new Error(
    `put this right and commit it before the merge: ${faulty.flatMap(({ lines }) => lines).join("; ")}`,
  );
}

/** On both sides the snapshot was the schema, so the merged schema is the merged snapshot. */
async function settleSnapshot(folder: string, { git: run, print }: Merging): Promise<void> {
  const unmerged = listUnmerged(folder);
  if (!unmerged.includes(SNAPSHOT_FILE) || unmerged.includes(SCHEMA)) return;
  copyFileSync(path.join(folder, SCHEMA), path.join(folder, SNAPSHOT_FILE));
  await run("add", "--", SNAPSHOT_FILE);
  print(
    `${SNAPSHOT_FILE} is the merged ${SCHEMA}: tests/integration/database/schema-drift.test.ts checks that the migrations lead to it`,
  );
}

/** Says what to do with each file that one side deleted and the other changed. */
function listDeletions(folder: string): Map<string, string> {
  const stages = new Map<string, string>();
  for (const entry of (git(folder, ["ls-files", "--unmerged", "-z"]) ?? "").split("\0")) {
    const [, stage, file] = /^\S+ \S+ (\d)\t(.*)$/s.exec(entry) ?? [];
    if (file && stage) stages.set(file, (stages.get(file) ?? "") + stage);
  }
  return new Map(
    [...stages].flatMap(([file, present]) => {
      if (!present.includes("2")) return [[file, "you deleted it: git rm keeps it away"]];
      if (!present.includes("3"))
        return [[file, "the starter deleted it: git rm, or git add to keep yours"]];
      return [];
    }),
  );
}

function listUnmerged(folder: string): string[] {
  const listed = git(folder, ["diff", "--name-only", "--diff-filter=U", "-z"]) ?? "";
  return listed.split("\0").filter(Boolean);
}

/** Returns the files changed by the merge in which a conflict still stands, though they were added. */
function listMarked(folder: string): string[] {
  const list = (...args: string[]) => (git(folder, args) ?? "").split("\0").filter(Boolean);
  const merged = list("diff", "--cached", "--name-only", "-z", "HEAD");
  if (merged.length === 0) return [];
  return list("grep", "--cached", "-l", "-z", "-E", "^<{7} ", "--", ...merged);
}
