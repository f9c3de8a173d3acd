import { findLocalChanges, type Manifest, manifestOf } from "../manifest";
import { CHECKSUMS_FILE } from "../migration-checksums";
import type { Tree } from "../tree";

export interface FilePlan {
  /** New or changed in the new version, untouched here: to be copied. */
  take: string[];
  /** Deleted in the new version, untouched here: to be deleted. */
  remove: string[];
  /** Changed on both sides: a person must merge them. */
  both: { file: string; how: string }[];
  /** Files of the starter that only you changed or deleted: left as they are. */
  kept: string[];
  /** Your own files, which neither version has. */
  own: string[];
}

interface Sides {
  local: Tree;
  /** Of the installed version: the common ancestor of both sides. */
  base: Manifest;
  /** Of the new version. */
  theirs: Manifest;
}

/** Sorts every file by who changed it since the installed version. Needs only the hashes of the new one. */
export function compareTrees({ local, base, theirs }: Sides): FilePlan {
  const ours = manifestOf(local, "").files;
  const plan: FilePlan = { take: [], remove: [], both: [], kept: [], own: [] };
  const changes = findLocalChanges(local, base);
  const touched = new Set([...changes.changed, ...changes.deleted, ...changes.added]);
  for (const file of namesOf(base.files, theirs.files, ours)) {
    const [before, now, next] = [base.files[file], ours[file], theirs.files[file]];
    // Each side records its own migrations in this file; it is regenerated.
    if (now === next || file === CHECKSUMS_FILE) continue;
    if (before === next) (before === undefined ? plan.own : plan.kept).push(file);
    else if (!touched.has(file)) (next === undefined ? plan.remove : plan.take).push(file);
    else plan.both.push({ file, how: describe(before, now, next) });
  }
  return plan;
}

function namesOf(...sides: Record<string, string>[]): string[] {
  return [...new Set(sides.flatMap((side) => Object.keys(side)))].sort();
}

function describe(before?: string, now?: string, next?: string): string {
  if (before === undefined) return "added on both sides";
  if (now === undefined) return "deleted here, changed there";
  return next === undefined ? "changed here, deleted there" : "changed on both sides";
}
