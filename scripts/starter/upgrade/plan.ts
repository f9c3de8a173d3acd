import { ENV_EXAMPLE, namesInExample } from "../env-example";
import { git, MIGRATIONS_FOLDER } from "../tree";
import type { Upgrade } from "./read-upgrade";

export interface Plan {
  /** Lines of the changelog that the common ancestor did not have. */
  changelog: string[];
  /** How many files the starter changed since the common ancestor. */
  theirs: number;
  /** The files that both sides changed since. */
  both: string[];
  variables: Variables;
  /** The starter's new migrations. */
  migrations: string[];
}

interface Variables {
  added: string[];
  gone: string[];
}

/** Compares the project and the target with their common ancestor. Changes nothing. */
export function planUpgrade({ folder, base, start, target }: Upgrade): Plan {
  const list = (...args: string[]) =>
    (git(folder, ["diff", "--name-only", "-z", "--no-renames", ...args]) ?? "")
      .split("\0")
      .filter(Boolean);
  const [ours, theirs] = [new Set(list(base, start)), list(base, target)];
  const example = (commit: string) => git(folder, ["show", `${commit}:${ENV_EXAMPLE}`]) ?? "";
  const changes =
    git(folder, [
      ...["diff", "--unified=0", "--no-color", "--no-ext-diff", base, target],
      ...["--", "CHANGELOG.md"],
    ]) ?? "";
  return {
    changelog: [...changes.matchAll(/^\+(?!\+\+ )(.+)$/gm)].map(([, line = ""]) => line),
    theirs: theirs.length,
    both: theirs.filter((file) => ours.has(file)),
    variables: compareVariables({
      base: example(base),
      ours: example(start),
      theirs: example(target),
    }),
    migrations: list("--diff-filter=A", base, target).filter(
      (file) => file.startsWith(`${MIGRATIONS_FOLDER}/`) && file.endsWith(".sql"),
    ),
  };
}

/** Variables named after what is sold: a product's follow its own catalog, not the starter's. */
const OF_THE_CATALOG = /^PROVIDER_[AB]_(PRICE|PRODUCT)_/;

/**
 * Returns the variables that the starter added and removed since the common ancestor. A product's own
 * were never the starter's, and those it has already are not new.
 */
export function compareVariables(examples: Record<"base" | "ours" | "theirs", string>): Variables {
  const [base, ours, theirs] = [examples.base, examples.ours, examples.theirs].map(
    (text) => new Set(namesInExample(text).filter((name) => !OF_THE_CATALOG.test(name))),
  ) as [Set<string>, Set<string>, Set<string>];
  return {
    added: [...theirs].filter((name) => !base.has(name) && !ours.has(name)),
    gone: [...base].filter((name) => !theirs.has(name)),
  };
}
