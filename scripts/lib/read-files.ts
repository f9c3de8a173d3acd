import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A text file: its path from the project's folder, and its text. */
export interface TextFile {
  file: string;
  text: string;
}

/** Every file below `folder` whose path `matches`; none where the folder does not exist. */
export function readFolder(folder: string, matches: RegExp): TextFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .filter((file) => matches.test(file))
    .map(readText);
}

export function readText(file: string): TextFile {
  return { file, text: readFileSync(file, "utf8") };
}
