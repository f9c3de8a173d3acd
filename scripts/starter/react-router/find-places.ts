import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Left } from "./modules";

/**
 * Returns the places with the lines on which they stand now: imports were joined above them, and the formatter has been
 * there. Of lines with a place's words it is the nearest. 0 where no line has them.
 */
export function findPlaces(folder: string, left: readonly Left[]): Left[] {
  return left.map(({ file, line, what, words }) => {
    const where = path.join(folder, file);
    if (!words || !existsSync(where)) return { file, line, what };
    const lines = readFileSync(where, "utf8").split("\n");
    const found = lines.flatMap((text, at) => (text.includes(words) ? [at + 1] : []));
    found.sort((a, b) => Math.abs(a - line) - Math.abs(b - line));
    return { file, line: found[0] ?? 0, what };
  });
}
