import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Changes every Markdown file of the project in `folder` that the change makes different. */
export function editMarkdown(folder: string, change: (text: string) => string): void {
  for (const file of listMarkdown(folder)) {
    const before = readFileSync(file, "utf8");
    const after = change(before);
    if (after !== before) writeFileSync(file, after);
  }
}

function listMarkdown(folder: string): string[] {
  const top = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const docs = readdirSync(path.join(folder, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join("docs", name));
  return [...top, ...docs, "tests/README.md"].map((name) => path.join(folder, name));
}
