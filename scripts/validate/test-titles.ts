import ts from "typescript";
import type { TextFile } from "../lib/read-files";
import { descendants, parseSource, writtenTexts } from "./syntax-tree";

/** Returns the written parts of every test's title in a file, those of `test.each` and the like included. */
export function testTitles(file: TextFile): string[] {
  return [...descendants(parseSource(file))].flatMap((node) => {
    if (!ts.isCallExpression(node) || !isTest(node.expression)) return [];
    const [title] = node.arguments;
    return title ? writtenTexts(title).map(({ text }) => text) : [];
  });
}

/** Whether this is `test`, `linuxTest`, `test.each(…)` or the like. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return /^(t|\w+T)est$/.test(callee.text);
  const isLonger = ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee);
  return isLonger && isTest(callee.expression);
}
