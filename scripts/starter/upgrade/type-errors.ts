import { git } from "../tree";

export interface TypeErrors {
  /** In files that the project added or changed. */
  yours: string[];
  /** In files that are as the starter has them. */
  starters: string[];
}

/** Sorts what the compiler printed by the owner of the file. A line that is indented belongs to the one above. */
export function sortTypeErrors(output: string, yours: Set<string>): TypeErrors {
  const errors: TypeErrors = { yours: [], starters: [] };
  let list = errors.starters;
  for (const line of output.split("\n").filter((text) => text.trim())) {
    const [, file] = /^(\S.*?)\(\d+,\d+\): /.exec(line) ?? [];
    if (file !== undefined) list = yours.has(file) ? errors.yours : errors.starters;
    list.push(line);
  }
  return errors;
}

/** Returns the files that differ from the starter's at this commit, as they are now. */
export function listYours(folder: string, target: string): Set<string> {
  const changed = git(folder, ["diff", "--name-only", "-z", "--no-renames", target]) ?? "";
  const added = git(folder, ["ls-files", "-z", "--others", "--exclude-standard"]) ?? "";
  return new Set([...changed.split("\0"), ...added.split("\0")].filter(Boolean));
}

export function describeTypeErrors({ yours, starters }: TypeErrors): string[] {
  const part = (title: string, lines: string[]) =>
    lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];
  return [
    ...part("yours, in files that you added or changed:", yours),
    ...part("the starter's, in files that are as it has them:", starters),
  ];
}
