import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** A text of the code, and what the mutation makes of it. */
interface Edit {
  file: string;
  find: string;
  replace: string;
}

/** A fault that is put into the code, and which the run has to find. */
export interface Mutation {
  /** The fault in a few words; also the row of the table in docs/torture.md. */
  name: string;
  /** The part of docs/rules.md that it breaks. */
  rule: number;
  edits: Edit[];
}

/**
 * Puts the fault into the tree below `root`, and returns what takes it out again. Texts are looked for rather than
 * lines, so that edits elsewhere don't move them.
 * @throws Error if a text isn't there exactly once: then the code has changed, and the mutation has to be written anew
 */
export async function mutate(
  root: string,
  { name, edits }: Mutation,
): Promise<() => Promise<void>> {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const place = path.join(root, file);
    const text = after.get(place) ?? (await readFile(place, "utf8"));
    const [head, ...tails] = text.split(find);
    const [tail] = tails;
    if (head === undefined || tail === undefined || tails.length > 1)
      throw new Error(`"${name}": ${file} has its text ${tails.length} times`);
    if (!before.has(place)) before.set(place, text);
    after.set(place, head + replace + tail);
  }
  await writeAll(after);
  return () => writeAll(before);
}

async function writeAll(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [place, text] of files) await writeFile(place, text);
}
