import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashFile, MANIFEST_FILE, readManifest, renderManifest } from "../manifest";
import { CHECKSUMS_FILE, recordChecksums } from "../migration-checksums";
import { folderTree, git, gitTree, type Tree } from "../tree";
import type { UpgradePlan } from "./plan";

export const branchOf = (to: string) => `starter-${to}`;

/** The commit before the upgrade to `to`; a second run compares with it. */
export const startRef = (to: string) => `refs/starter/before-${to}`;

/** Returns the project before the upgrade to `to`, if that upgrade is in progress on the current branch. */
export function findStart(folder: string, to: string): Tree | null {
  const branch = git(folder, ["branch", "--show-current"])?.trim();
  const ref = startRef(to);
  const isUnderWay =
    branch === branchOf(to) && git(folder, ["rev-parse", "--verify", ref]) !== null;
  return isUnderWay ? gitTree(folder, ref) : null;
}

interface Applying {
  folder: string;
  /** Files that a person has merged; `all` means every file. */
  merged: string[];
  /** Runs Git. Throws if it fails. */
  git: (...args: string[]) => Promise<void>;
}

/**
 * Copies and deletes files that nobody changed here, once, and commits them on a new branch. Writes the
 * new manifest, the base of later comparisons, after all other files are merged. Returns the files that
 * a person must still merge; it touches none of them.
 */
export async function applyFiles(plan: UpgradePlan, options: Applying): Promise<string[]> {
  const { folder, merged } = options;
  const label = `Starter ${plan.from} to ${plan.to}`;
  if (findStart(folder, plan.to) === null) {
    const start = git(folder, ["rev-parse", "HEAD"])?.trim() ?? "";
    const branch = git(folder, ["branch", "--show-current"])?.trim();
    if (branch !== branchOf(plan.to)) await options.git("switch", "--create", branchOf(plan.to));
    copyUntouched(folder, plan);
    await commit(options, `${label}: what is unchanged here`);
    await options.git("update-ref", startRef(plan.to), start);
  }
  const tree = folderTree(folder);
  if (readManifest(tree).version === plan.to) return [];
  const open = plan.files.both
    .map(({ file }) => file)
    .filter((file) => !merged.includes("all") && !merged.includes(file))
    .filter((file) => hashOf(tree, file) !== plan.theirs.files[file]);
  if (open.length === 0) {
    writeFileSync(path.join(folder, MANIFEST_FILE), renderManifest(plan.theirs));
    await commit(options, label);
  }
  return open;
}

/** Throws, before the first change, if the new version doesn't match its own manifest. */
function copyUntouched(folder: string, { files, upstream, theirs }: UpgradePlan): void {
  const contents = files.take.map((file) => {
    const bytes = upstream.read(file);
    if (bytes === null || hashFile(bytes) !== theirs.files[file]) {
      throw new Error(`${file} of ${upstream.name} is not what its manifest says: use a release`);
    }
    return { file: path.join(folder, file), bytes };
  });
  for (const { file, bytes } of contents) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  for (const file of files.remove) rmSync(path.join(folder, file));
  const tree = folderTree(folder);
  writeFileSync(path.join(folder, CHECKSUMS_FILE), recordChecksums(tree, readManifest(tree)).text);
}

async function commit(options: Applying, message: string): Promise<void> {
  await options.git("add", "--all");
  if (git(options.folder, ["status", "--porcelain"])?.trim() === "") return;
  await options.git("commit", "--quiet", "--message", message);
}

function hashOf(tree: Tree, file: string): string | undefined {
  const bytes = tree.read(file);
  return bytes === null ? undefined : hashFile(bytes);
}
