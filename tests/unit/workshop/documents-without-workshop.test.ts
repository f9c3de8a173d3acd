import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { readFolder, readText } from "../../../scripts/lib/read-files";
import { DOCUMENTS, withoutWorkshop } from "../../../scripts/starter/init/remove-workshop";
import { dropLines } from "../../../scripts/starter/init/text-edits";
import { checkLinks } from "../../../scripts/validate/check-links";
import { checkScripts } from "../../../scripts/validate/check-scripts";
import { currentPart, parseDoc } from "../../../scripts/validate/markdown";

const packageJson = readText("package.json");
const kept = dropLines(packageJson.text, /scripts\/workshop/);
const scriptsOf = (text: string) => Object.keys(JSON.parse(text).scripts);
const removed = scriptsOf(packageJson.text).filter((name) => !scriptsOf(kept).includes(name));

test("documents without the workshop have no dead link, and name no command that is gone", () => {
  expect(removed).toContain("bench");
  // The changelog and the decisions tell of the past.
  const docs = [readText("README.md"), readText("tests/README.md"), ...readFolder("docs", /\.md$/)]
    .filter(({ file }) => !DOCUMENTS.includes(file) && !file.startsWith("docs/decisions/"))
    .map(({ file, text }) => ({ file, text: withoutWorkshop(text, removed) }));
  const isThere = (file: string) =>
    existsSync(file) && !DOCUMENTS.includes(file) && !file.startsWith("scripts/workshop/");
  expect(checkLinks({ docs: docs.map(parseDoc), exists: isThere })).toEqual([]);
  const commands = {
    docs: docs.map(currentPart).map(parseDoc),
    packageJson: { ...packageJson, text: kept },
  };
  expect(checkScripts(commands)).toEqual([]);
});
