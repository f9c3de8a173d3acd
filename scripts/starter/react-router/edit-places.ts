import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DOCUMENTS } from "./documents";
import type { Left } from "./modules";
import { EDITED } from "./places";

/** Makes the edits that are known. Returns the files that it wrote, and the places that name Remix after it: a person has to change them. */
export function editPlaces(folder: string): { edited: string[]; left: Left[] } {
  const edited: string[] = [];
  for (const { file, edit } of [...DOCUMENTS, ...EDITED]) {
    const place = path.join(folder, file);
    // Some are taken away by `npm run starter:init`, or by hand.
    if (!existsSync(place)) continue;
    const before = readFileSync(place, "utf8");
    const after = edit(before);
    if (after === before) continue;
    writeFileSync(place, after);
    edited.push(file);
  }
  const left = EDITED.flatMap(({ file, what, unmoved }) => {
    const place = path.join(folder, file);
    const lines = existsSync(place) ? readFileSync(place, "utf8").split("\n") : [];
    const line = 1 + lines.findIndex((text) => unmoved.test(text));
    return line > 0 ? [{ file, line, what }] : [];
  });
  return { edited, left };
}
