import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { editFile } from "./edit-file";
import { editMarkdown } from "./markdown-files";
import { dropLines } from "./text-edits";

const WORKSHOP = "scripts/workshop/";

/**
 * Documents about the starter itself.
 * @public Only the workshop's tests use it elsewhere.
 */
export const DOCUMENTS = ["docs/performance.md", "docs/how-this-is-checked.md"];

/** Packages that nothing else uses. They leave both package files; the next `npm ci` removes their folders. */
const PACKAGES = ["autocannon", "@types/autocannon"];

/** Removes what serves the starter's authors only, with its commands, tests and documents. */
export function removeWorkshop(folder: string): void {
  const remove = (file: string) => rmSync(path.join(folder, file), { recursive: true });
  remove(WORKSHOP);
  for (const kind of readdirSync(path.join(folder, "tests"))) {
    rmSync(path.join(folder, "tests", kind, "workshop"), { recursive: true, force: true });
  }
  const scripts = workshopScripts(folder);
  for (const file of ["package.json", "knip.json", "biome.json", ".dockerignore"])
    editFile(folder, file, (text) => dropLines(text, /scripts\/workshop/));
  editFile(folder, ".ci/run", (text) => dropLines(text, /react-router|React Router|\$moved/));
  editFile(folder, "AGENTS.md", (text) => text.replace(/, scripts\/workshop\/ .*/, ""));
  DOCUMENTS.forEach(remove);
  editMarkdown(folder, (text) => withoutWorkshop(text, scripts));
  const { status, stderr } = spawnSync("npm", ["uninstall", "--package-lock-only", ...PACKAGES], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm uninstall failed: ${stderr}`);
}

function workshopScripts(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  return Object.keys(scripts).filter((name) => scripts[name].includes(WORKSHOP));
}

/**
 * Takes out the parts between two comments `workshop`, each row and word of a list about these commands, and links
 * to the documents that go: those in brackets of their own wholly, of others the words stay.
 */
export function withoutWorkshop(text: string, scripts: string[]): string {
  const command = `\`npm run (?:${scripts.join("|")})\``;
  const names = DOCUMENTS.map((file) => path.basename(file, ".md")).join("|");
  const link = String.raw`\[([^\]]*)\]\([^)\s]*\b(?:${names})\.md[^)\s]*\)`;
  return text
    .replace(/<!-- workshop -->\n[\s\S]*?<!-- end of workshop -->\n+/g, "")
    .replace(new RegExp(`^\\| ${command} \\|.*\\n`, "gm"), "")
    .replace(new RegExp(`${command}, `, "g"), "")
    .replace(new RegExp(String.raw`\s*\(${link}\)`, "g"), "")
    .replace(new RegExp(link, "g"), "$1");
}
