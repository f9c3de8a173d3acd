import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { editFile } from "./edit-file";
import { dropLines } from "./text-edits";

const WORKSHOP = "scripts/workshop/";

/** Documents about the starter itself. */
const DOCUMENTS = ["docs/performance.md", "docs/how-this-is-checked.md"];

/** Removes what serves the starter's authors only, with its commands, tests and documents. */
export function removeWorkshop(folder: string): void {
  const remove = (file: string) => rmSync(path.join(folder, file), { recursive: true });
  remove(WORKSHOP);
  for (const kind of readdirSync(path.join(folder, "tests"))) {
    rmSync(path.join(folder, "tests", kind, "workshop"), { recursive: true, force: true });
  }
  editFile(folder, "package.json", (text) => dropLines(text, new RegExp(WORKSHOP)));
  editFile(folder, "knip.json", (text) => dropLines(text, new RegExp(WORKSHOP)));
  DOCUMENTS.forEach(remove);
}
