import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Changes a file of the project in `folder`. Throws if that changes nothing: the place has moved. */
export function editFile(folder: string, file: string, change: (text: string) => string): void {
  const place = path.join(folder, file);
  const before = readFileSync(place, "utf8");
  const after = change(before);
  if (after === before)
    throw new Error(`${file} doesn't have what is changed here: change it by hand`);
  writeFileSync(place, after);
}
