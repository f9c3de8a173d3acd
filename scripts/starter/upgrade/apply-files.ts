import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashFile, MANIFEST_FILE, readManifest, renderManifest } from "../manifest";
import { CHECKSUMS_FILE, recordChecksums } from "../migration-checksums";
import { folderTree, git, gitTree, type Tree } from "../tree";
import type { UpgradePlan } from "./plan";

export const branchOf = (to: string) => `starter-${to}`;

/** Where the project stood when the files of `to` were copied: what a second run counts from. */
const startRef = (to: string) => `refs/starter/before-${to}`;

/** The project as it was before the upgrade, when one to `to` is under way on the current branch. */
export function findStart(folder: string, to: string): Tree | null {
  const branch = git(folder, ["branch", "--show-current"])?.trim();
  const ref = startRef(to);
  const isUnderWay =
    branch === branchOf(to) && git(folder, ["rev-parse", "--verify", ref]) !== null;
  return isUnderWay ? gitTree(folder, ref) : null;
}

interface Applying {
  folder: string;
  /** Files that a person has merged; `all` stands for every one. */
  merged: string[];
  /** Runs git, and throws when it fails. */
  git: (...args: string[]) => Promise<void>;
}

/**
 * Copies and deletes on a branch of its own what nobody has changed here, once, and commits. The new
 * manifest, from which later changes are counted, follows when every other file is dealt with.
 * Returns the files that a person has still to merge; none of them is touched.
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

/** Throws before the first change when the new version is not what its own manifest says. */
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
