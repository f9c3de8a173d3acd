import { folderTree, git } from "../../starter/tree";

/** Nothing but hashes, and half of all changes; older commits have the manifest. The look at the files reads them. */
const HASHES = [":!package-lock.json", ":!.starter/manifest.json"];

/** Many texts as one, each below a line with its place. */
interface Texts {
  /** How many there are. */
  count: number;
  text: string;
  /** Names the place of what stands at this offset. */
  placeOf(offset: number): string;
}

/** Before each place. No text of ours has it. */
const MARK = "\0";

/** Returns the lines above the offset, down from the last place. */
function linesAbove(text: string, offset: number): string[] {
  return text.slice(text.lastIndexOf(MARK, offset) + MARK.length, offset).split("\n");
}

/** Returns all files of the project that hold text. */
export function readFiles(folder: string): Texts {
  const tree = folderTree(folder);
  const files = tree.list().flatMap((file) => {
    const content = tree.read(file)?.toString("utf8") ?? "";
    return content.includes(MARK) ? [] : `${MARK}${file}\n${content}\n`;
  });
  const text = files.join("");
  return {
    count: files.length,
    text,
    placeOf(offset) {
      const [file, ...lines] = linesAbove(text, offset);
      return `${file}:${lines.length}`;
    },
  };
}

interface History extends Texts {
  /** Whether commits are missing before the first. */
  isShallow: boolean;
}

/** Returns all lines that the commits up to `HEAD` added. Null if the folder is no Git repository. */
export function readHistory(folder: string): History | null {
  const commits = git(folder, ["rev-list", "--count", "HEAD"]);
  if (commits === null) return null;
  const log = git(folder, [
    ...["log", "--patch", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv"],
    // Of a merge: what it has beside its parents' own changes.
    "--diff-merges=remerge",
    ...["--format=%x00%H", "HEAD", "--", ".", ...HASHES],
  ]);
  if (log === null) throw new Error("git log failed: it has to be Git 2.35 or newer");
  const text = log.replace(/^-.*\n/gm, "").replace(/^\+(?!\+\+ b\/)/gm, "");
  return {
    count: Number(commits),
    isShallow: git(folder, ["rev-parse", "--is-shallow-repository"])?.trim() === "true",
    text,
    placeOf(offset) {
      const [commit = "", ...lines] = linesAbove(text, offset);
      const file = lines.findLast((line) => line.startsWith("+++ b/"))?.slice("+++ b/".length);
      return `${file} in commit ${commit.slice(0, 12)}`;
    },
  };
}
