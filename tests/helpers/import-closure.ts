import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Returns our own files that `starts` import, directly or not, including the starts themselves. */
export function importClosure(starts: string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...starts];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"));
    for (const { fileName } of importedFiles) {
      if (/^(\.|~\/)/.test(fileName)) waiting.push(resolve(file, fileName));
    }
  }
  return found;
}

function resolve(from: string, specifier: string): string {
  const base = specifier.startsWith("~/")
    ? path.join("app", specifier.slice(2))
    : path.join(path.dirname(from), specifier);
  const file = ["", ".ts", ".tsx", ".mjs"]
    .map((ending) => base + ending)
    .find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
  if (!file) throw new Error(`${from} imports ${specifier}, which is not there`);
  return file;
}
