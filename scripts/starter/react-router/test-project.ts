import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { findPlaces } from "./find-places";
import type { Left } from "./modules";
import { rewriteCode } from "./rewrite-code";

/** Rewrites a project of these files, and returns them as they are then, with what was left. */
export function rewrite(files: Record<string, string>): {
  files: Record<string, string>;
  left: Left[];
} {
  const folder = mkdtempSync(path.join(os.tmpdir(), "rewrite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compilerOptions = { jsx: "react-jsx", module: "ESNext", moduleResolution: "Bundler" };
  const config = { compilerOptions, include: ["app", "*.ts"] };
  const all = { "tsconfig.json": JSON.stringify(config), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init");
  git("add", ".");
  const left = findPlaces(folder, rewriteCode(folder).left);
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
  return { files: Object.fromEntries(Object.keys(files).map((file) => [file, read(file)])), left };
}

/** With the names of each import in order, as the formatter leaves them. */
export function sorted(text = ""): string {
  return text.replaceAll(/import( type)? \{ ([^}]*) \}/g, (_all, type = "", names: string) => {
    const inOrder = names.split(", ").sort((a, b) => bare(a).localeCompare(bare(b)));
    return `import${type} { ${inOrder.join(", ")} }`;
  });
}

const bare = (name: string) => name.replace("type ", "");
