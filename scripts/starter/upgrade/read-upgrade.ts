import { git } from "../tree";

export interface Upgrade {
  folder: string;
  /** The commit of the starter, as the operator named it and in full. */
  to: string;
  target: string;
  /** The project's own commit before the merge. */
  start: string;
  /** The newest commit that the project and the target have in common. */
  base: string;
  /** The project's first commit, if Git must be told that it came from `base`. */
  graft: string | null;
  /** The commit that merged the target, once there is one. */
  merge: string | null;
}

/**
 * Finds what an upgrade of the project to a commit, tag or branch of the starter begins with. Everything
 * is read from Git's history, so that the command can be run again at any point. Changes nothing.
 * @throws Error with the remedy, if the target or the common history is missing
 */
export function readUpgrade(folder: string, to: string): Upgrade {
  const ask = (...args: string[]) => git(folder, args)?.trim() ?? "";
  if (!ask("rev-parse", "HEAD"))
    throw new Error("this folder is no git repository with a commit: commit the project first");
  const target = commitOf(folder, to);
  if (!target)
    throw new Error(
      `git knows no commit '${to}' here: git remote add starter <its address>, then git fetch starter --tags`,
    );
  if (ask("rev-parse", "--is-shallow-repository") === "true")
    throw new Error("this clone lacks its older commits: git fetch --unshallow, then run again");
  const merge = findMerge(folder, target);
  if (!merge && git(folder, ["merge-base", "--is-ancestor", target, "HEAD"]) !== null)
    throw new Error(`this project has ${to} already`);
  const start = ask("rev-parse", merge ? `${merge}^1` : "HEAD");
  return { folder, to, target, start, merge, ...findBase(folder, { start, target, to, merge }) };
}

/** Returns the full hash; empty if Git doesn't know it. */
export const commitOf = (folder: string, name: string): string =>
  git(folder, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${name}^{commit}`,
  ])?.trim() ?? "";

/** Finds, on the line of the current branch, the merge of the target. */
function findMerge(folder: string, target: string): string | null {
  const merges = git(folder, ["rev-list", "--first-parent", "--merges", "--parents", "HEAD"]) ?? "";
  const found = merges.split("\n").map((line) => line.split(" "));
  return found.find(([, , second]) => second === target)?.[0] ?? null;
}

interface Ends {
  start: string;
  target: string;
  to: string;
  merge: string | null;
}

/**
 * Without a commit in common, a project that began as a copy of all files has a first commit whose tree is
 * also that of a commit of the starter.
 */
function findBase(
  folder: string,
  { start, target, to, merge }: Ends,
): Pick<Upgrade, "base" | "graft"> {
  const ask = (...args: string[]) => git(folder, args)?.trim() ?? "";
  const shared = ask("merge-base", start, target);
  if (shared) return { base: shared, graft: null };
  const graft = ask("rev-list", "--first-parent", "--max-parents=0", start);
  const tree = ask("rev-parse", `${graft}^{tree}`);
  const commits = ask("log", "--format=%H %T", target).split("\n");
  const twin = commits.find((line) => line.endsWith(` ${tree}`));
  if (twin) return { base: twin.split(" ")[0] ?? "", graft };
  // Merged on another machine, which alone has the graft: only the checks are left to run.
  if (merge) return { base: target, graft: null };
  const began = ask("show", "--no-patch", "--format=%aI", graft);
  const newest = ask("rev-list", "--max-count=1", `--before=${began}`, target).slice(0, 12);
  throw new Error(
    `this project and ${to} have no commit in common: tell git which commit of the starter you began with, and run again: git replace --graft ${graft.slice(0, 12)} ${newest || "<that commit>"}${newest ? ` (${newest} was the newest on the day of your first commit; name another if you began with an older one)` : ""}`,
  );
}
