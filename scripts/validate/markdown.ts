import GithubSlugger from "github-slugger";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import type { TextFile } from "../lib/read-files";
import { lineAt } from "./problem";

interface Place {
  /** From 1. */
  line: number;
}

/** The parts of a Markdown file that the checks need. */
export interface Doc {
  file: string;
  /** The possible `#` targets of a link. */
  anchors: Set<string>;
  /** Targets of links and images, as written. */
  links: ({ url: string } & Place)[];
  /** Code in backticks; `language` is null for inline code. */
  codes: ({ text: string; language: string | null } & Place)[];
}

export function parseDoc({ file, text }: TextFile): Doc {
  const doc: Doc = { file, anchors: new Set(), links: [], codes: [] };
  // GitHub's rule for heading ids, including repeated ones.
  const slugger = new GithubSlugger();
  visit(fromMarkdown(text), (node) => {
    const line = node.position?.start.line ?? 1;
    switch (node.type) {
      case "heading":
        doc.anchors.add(slugger.slug(textOf(node)));
        break;
      case "link":
      case "image":
      case "definition":
        doc.links.push({ url: node.url, line });
        break;
      case "inlineCode":
        doc.codes.push({ text: node.value, language: null, line });
        break;
      case "code":
        // A fenced block's first line is the fence.
        doc.codes.push({ text: node.value, language: node.lang ?? "", line: line + 1 });
        break;
      case "html":
        for (const [, id = ""] of node.value.matchAll(/\s(?:id|name)="([^"]+)"/g)) {
          doc.anchors.add(id);
        }
        for (const { 1: url = "", index } of node.value.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
          doc.links.push({ url, line: line + lineAt(node.value, index) - 1 });
        }
    }
  });
  return doc;
}

/**
 * Returns the part of a file about the current version. Of a changelog: unreleased changes and the
 * newest release, without removals. Of a superseded decision: nothing. Lines keep their numbers.
 */
export function currentPart({ file, text }: TextFile): TextFile {
  if (/^Status: superseded/im.test(text)) return { file, text: "" };
  if (!/(^|\/)CHANGELOG\.md$/.test(file)) return { file, text };
  let releases = 0;
  let removed = false;
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("## ")) removed = false;
    if (/^## \[?\d/.test(line)) releases++;
    if (line.startsWith("### ")) removed = /^### Removed\b/.test(line);
    return releases > 1 || removed ? "" : line;
  });
  return { file, text: lines.join("\n") };
}
