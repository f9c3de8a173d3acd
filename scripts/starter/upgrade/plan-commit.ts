import { parseChangelog } from "../changelog";
import { manifestOf } from "../manifest";
import { folderTree, git, gitTree, readTextOf, type Tree } from "../tree";
import { findStart } from "./apply-files";
import { compareProjects, type UpgradePlan } from "./plan";

interface CommitPlanOptions {
  folder: string;
  /** A commit, branch or tag of the starter that git has here. */
  to: string;
}

/**
 * Plans an upgrade to any commit of the starter, released or not. Needs a common history and no
 * manifest: the newest common commit is what the project began with. While such an upgrade is in progress,
 * plans it from the project as it was before. Changes nothing.
 */
export function planCommit({ folder, to }: CommitPlanOptions): UpgradePlan {
  const upstream = gitTree(folder, to);
  const commit = git(folder, ["rev-parse", `${to}^{commit}`])?.trim() ?? "";
  const start = findStart(folder, shortOf(folder, commit));
  const shared = git(folder, ["merge-base", start?.name ?? "HEAD", commit])?.trim();
  if (!shared)
    throw new Error(
      `${to} and this project have no commit in common: tell git where the project began (docs/upgrade.md#without-a-common-history)`,
    );
  if (shared === commit) throw new Error(`this project has ${to} already`);
  const base = gitTree(folder, shared);
  const theirs = manifestOf(upstream, shortOf(folder, commit));
  return {
    from: shortOf(folder, shared),
    to: shortOf(folder, commit),
    upstream,
    theirs,
    commit,
    releases: [
      {
        version: shortOf(folder, commit),
        date: git(folder, ["show", "--no-patch", "--format=%cs", commit])?.trim() ?? "",
        line: 1,
        text: newEntries(base, upstream),
      },
    ],
    skipsMajor: false,
    ...compareProjects({
      local: start ?? folderTree(folder),
      upstream,
      base: manifestOf(base, shortOf(folder, shared)),
      theirs,
    }),
  };
}

/** Lines of the changelog that the project's beginning did not have. */
function newEntries(base: Tree, upstream: Tree): string {
  const linesOf = (tree: Tree) => {
    const { unreleased, releases } = parseChangelog(readTextOf(tree, "CHANGELOG.md") ?? "");
    return [unreleased, ...releases.map(({ text }) => text)].flatMap((text) => text.split("\n"));
  };
  const known = new Set(linesOf(base));
  return linesOf(upstream)
    .filter((line) => !known.has(line))
    .join("\n");
}

const shortOf = (folder: string, commit: string) =>
  git(folder, ["rev-parse", "--short", commit])?.trim() ?? commit;
