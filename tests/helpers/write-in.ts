import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes a file of the project in `folder`, and makes the folders above it. */
export function writeIn(folder: string, file: string, text: string): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}
