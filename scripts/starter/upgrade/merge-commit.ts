import { writeFileSync } from "node:fs";
import path from "node:path";
import { MANIFEST_FILE, readManifest, renderManifest } from "../manifest";
import { CHECKSUMS_FILE, recordChecksums } from "../migration-checksums";
import { folderTree, git } from "../tree";
import { branchOf, findStart, startRef } from "./apply-files";
import type { UpgradePlan } from "./plan";

interface Merging {
  folder: string;
  /** Runs Git. Throws if it fails. */
  git: (...args: string[]) => Promise<void>;
}

/** Records of the starter that are made from other files, so that nobody has to merge them. */
const RECORDS = [MANIFEST_FILE, CHECKSUMS_FILE];

/**
 * Merges the commit on a new branch, line by line: a change of one word here does not collide with a
 * change elsewhere in the file. Returns the files in which both sides changed the same lines; a person
 * resolves them and commits. Can be called again after that.
 */
export async function mergeCommit(plan: UpgradePlan, options: Merging): Promise<string[]> {
  const { folder } = options;
  const commit = plan.commit ?? "";
  if (findStart(folder, plan.to) === null) {
    const start = git(folder, ["rev-parse", "HEAD"])?.trim() ?? "";
    await options.git("switch", "--create", branchOf(plan.to));
    await options.git("update-ref", startRef(plan.to), start);
  }
  if (git(folder, ["merge-base", "--is-ancestor", commit, "HEAD"]) === null) {
    const message = `Starter ${plan.from} to ${plan.to}`;
    const failure = await options
      .git("merge", "--no-ff", "--message", message, commit)
      .then(() => null)
      .catch((error: Error) => error);
    const open = listConflicts(folder);
    if (failure && open.length === 0) throw failure;
    for (const file of open.filter((name) => RECORDS.includes(name)))
      await options.git("checkout", "--theirs", "--", file);
    const left = open.filter((name) => !RECORDS.includes(name));
    if (open.length > left.length)
      await options.git("add", "--", ...open.filter((name) => RECORDS.includes(name)));
    if (left.length > 0) return left;
    if (open.length > 0) await options.git("commit", "--no-edit");
  }
  await writeRecords(plan, options);
  return [];
}

function listConflicts(folder: string): string[] {
  const listed = git(folder, ["diff", "--name-only", "--diff-filter=U", "-z"]) ?? "";
  return listed.split("\0").filter(Boolean);
}

/** The commit's own manifest may be of its last release, so this one lists the commit's files. */
async function writeRecords(plan: UpgradePlan, options: Merging): Promise<void> {
  const { folder } = options;
  const { version } = readManifest(plan.upstream);
  writeFileSync(path.join(folder, MANIFEST_FILE), renderManifest({ ...plan.theirs, version }));
  const tree = folderTree(folder);
  writeFileSync(path.join(folder, CHECKSUMS_FILE), recordChecksums(tree, readManifest(tree)).text);
  await options.git("add", "--", ...RECORDS);
  if (git(folder, ["status", "--porcelain"])?.trim() === "") return;
  await options.git("commit", "--quiet", "--message", `Record the starter's files of ${plan.to}`);
}
