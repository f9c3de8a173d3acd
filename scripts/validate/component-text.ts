import ts from "typescript";
import type { TextFile } from "../lib/read-files";
import type { Problem } from "./problem";
import { descendants, lineOf, parseSource, writtenTexts } from "./syntax-tree";

/** Attributes and props that people read or hear; props of our own components by their ending. */
const SHOWN_ATTRIBUTE =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|alt|hint|label|lead|placeholder|title)$|(Hint|Label|Lead|Placeholder|Text|Title)$/;

/** Finds words in a component that don't come from `t()`: they would be English in every language. */
export function findComponentText(component: TextFile): Problem[] {
  const { file } = component;
  const source = parseSource(component);
  const report = (node: ts.Node, where: string, text: string) => ({
    file,
    line: lineOf(source, node),
    text: `${where} "${shorten(text)}" is not translated: add a key to app/i18n/locales and use t()`,
  });
  return [...descendants(source)].flatMap((node) => {
    if (ts.isJsxText(node)) return hasWords(node.text) ? [report(node, "text", node.text)] : [];
    const where = placeOf(node);
    if (!where) return [];
    return where.texts
      .filter(({ text }) => hasWords(text))
      .map((text) => report(text, where.name, text.text));
  });
}

function placeOf(node: ts.Node): { name: string; texts: ts.LiteralLikeNode[] } | null {
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
    return { name: "text", texts: node.children.flatMap(textsOf) };
  }
  if (!ts.isJsxAttribute(node) || !node.initializer) return null;
  const name = ts.isIdentifier(node.name) ? node.name.text : node.name.name.text;
  if (!SHOWN_ATTRIBUTE.test(name)) return null;
  return { name: `attribute ${name}`, texts: textsOf(node.initializer) };
}

function textsOf(node: ts.JsxChild | ts.JsxAttributeValue): ts.LiteralLikeNode[] {
  if (ts.isStringLiteral(node)) return [node];
  return ts.isJsxExpression(node) && node.expression ? writtenTexts(node.expression) : [];
}

/** Whether a text has letters of any script, besides those of an entity such as `&nbsp;`. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/&#?\w+;/g, ""));
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
