import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A text file, with its path from the project's folder. */
export interface TextFile {
  file: string;
  text: string;
}

/** Returns every file below `folder` whose path `matches`; none if the folder doesn't exist. */
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
