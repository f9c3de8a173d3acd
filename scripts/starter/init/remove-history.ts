import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { editFile } from "./edit-file";
import { editMarkdown } from "./markdown-files";

/** Empties the changelog. `origin` is the starter's name, version and commit. */
export function emptyChangelog(folder: string, name: string, origin: string): void {
  editFile(folder, "CHANGELOG.md", (text) => {
    const [head = ""] = text.split(/^## /m);
    return `${head.replace(/this starter/i, name)}## [Unreleased]\n\n### Added\n\n- Begun from ${origin}.\n`;
  });
}

/** Removes the decisions and every link to them. The first decision of the product's own is 0001. */
export function removeDecisions(folder: string): void {
  const decisions = path.join(folder, "docs/decisions");
  for (const file of readdirSync(decisions)) {
    if (file !== "README.md") rmSync(path.join(decisions, file));
  }
  editFile(folder, "docs/decisions/README.md", (text) => text.replace(/^\| \[.*\n/gm, ""));
  editMarkdown(folder, unlinkDecisions);
}

const LINK = String.raw`\[([^\]]*)\]\([^)\s]*decisions/\d{4}-[^)\s]*\)`;

/**
 * Takes out the links to decisions: those in brackets of their own wholly, of others the words stay. A
 * test holds the documents to these two forms.
 */
export function unlinkDecisions(text: string): string {
  return text
    .replace(new RegExp(String.raw`\s*\(${LINK}(, ${LINK})*\)`, "g"), "")
    .replace(new RegExp(LINK, "g"), "$1");
}
