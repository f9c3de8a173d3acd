import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Files that import each other, one of them only a type. */
const CYCLE = {
  "a.ts": 'import type { B } from "./b";\nexport const a: B = "a";\n',
  "b.ts": 'import { a } from "./a";\nexport type B = string;\nexport const b = a;\n',
};

test("lint refuses files that import each other, even a type alone", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "import-cycles-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync("biome.json", path.join(folder, "biome.json"));
  for (const [file, text] of Object.entries(CYCLE)) writeFileSync(path.join(folder, file), text);
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--colors=off"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const refused = (stdout + stderr).split("\n").filter((line) => line.includes("noImportCycles"));
  expect(refused.map((line) => line.split(":")[0]).sort()).toEqual(Object.keys(CYCLE));
});
