import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isSafe } from "redos-detector";
import ts from "typescript";
import { expect, test } from "vitest";

interface Found {
  file: string;
  source: string;
}

/** Finds everything of this kind in the files of `app/`, except tests. */
function findInApp(read: (node: ts.Node, file: ts.SourceFile) => string | null): Found[] {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith("generated"),
  );
  return files.flatMap((file) => {
    const text = readFileSync(path.join("app", file), "utf8");
    const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const found: Found[] = [];
    const visit = (node: ts.Node) => {
      const source = read(node, parsed);
      if (source !== null) found.push({ file, source });
      ts.forEachChild(node, visit);
    };
    visit(parsed);
    return found;
  });
}

const LITERALS = findInApp((node) => (ts.isRegularExpressionLiteral(node) ? node.text : null));

/** Files whose input is too short for the checker's findings to matter, and the test that shows it. */
const BOUNDED_FILES = new Set([
  // At most 4,000 characters: "a long text of … takes no time".
  path.join("utils", "scrub-text.ts"),
  // Statements of our own: their values are not in the text.
  path.join("utils", "trace-statements.server.ts"),
]);

function isLinear(literal: string): boolean {
  const end = literal.lastIndexOf("/");
  return isSafe(new RegExp(literal.slice(1, end), literal.slice(end + 1))).safe;
}

test("no regular expression in the app has unbounded backtracking", () => {
  expect(LITERALS.length).toBeGreaterThan(50);
  expect(
    LITERALS.filter(({ file, source }) => !BOUNDED_FILES.has(file) && !isLinear(source)),
  ).toEqual([]);
});

test("no regular expression is built at run time, where no check sees it", () => {
  const made = findInApp((node, file) => {
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
    return isMade && node.expression.getText(file) === "RegExp" ? node.getText(file) : null;
  });
  expect(made).toEqual([]);
});

test.each([
  String.raw`/^\s*((<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE\s+svg[^>[]*(\[[^\]]*\])?[^>]*>)\s*)*<svg/i`,
  String.raw`/\/+$/`,
  "/^(a+)+$/",
  "/a.*b.*c/",
])("the checker finds %s", (literal) => {
  expect(isLinear(literal)).toBe(false);
});
