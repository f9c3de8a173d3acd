import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { readFolder } from "../../scripts/lib/read-files";
import { descendants } from "../../scripts/validate/syntax-tree";

const page = readFileSync("docs/incidents/errors.md", "utf8");

/** The fixed parts of the text of a line of level error or fatal: `log().error(facts, "not ready")`. */
function messageOf(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  const isLog = ts.isCallExpression(expression) && expression.expression.getText().endsWith("log");
  const text = node.arguments.at(-1);
  if (!isLog || !["error", "fatal"].includes(name.text) || !text) return [];
  if (ts.isStringLiteralLike(text)) return [text.text];
  return ts.isTemplateExpression(text) ? text.templateSpans.map((span) => span.literal.text) : [];
}

test("docs/incidents/errors.md says what to do about every line of level error that the server writes", () => {
  const messages = readFolder("app", /^app\/(?!generated\/).*(?<!\.test)\.tsx?$/).flatMap((file) =>
    [
      ...descendants(ts.createSourceFile(file.file, file.text, ts.ScriptTarget.Latest, true)),
    ].flatMap(messageOf),
  );
  expect(messages.length).toBeGreaterThan(40);
  // The table has a message up to its colon: the rest only says more.
  const missing = messages.filter((text) => !page.includes(`\`${text.split(/[:;]/)[0]?.trim()}`));
  expect(missing).toEqual([]);
});
