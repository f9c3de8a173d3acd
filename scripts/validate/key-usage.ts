import ts from "typescript";
import type { TextFile } from "../lib/read-files";
import type { Messages } from "./messages";
import type { Problem } from "./problem";
import { descendants, lineOf, parseSource, writtenTexts } from "./syntax-tree";

interface KeyUsage {
  /** Every string literal in the source: any key among them counts as used. */
  literals: Set<string>;
  /**
   * Strings that must be keys, because a translator or a validation schema uses them → their first line.
   */
  required: Map<string, number>;
  problems: Problem[];
}

/** Methods of a translator that take a key; it can also be called directly. */
const TRANSLATOR_METHODS = ["rich", "markup", "raw", "has"];

/**
 * Finds the keys that a source file uses. It relies on a convention: a key is written in full, as
 * `t("full.key")`, `translatorFor(locale)("full.key")`, or `invalid("name")` for `validation.name`.
 */
export function findKeyUsage(sourceFile: TextFile): KeyUsage {
  const source = parseSource(sourceFile);
  const usage: KeyUsage = { literals: new Set(), required: new Map(), problems: [] };
  const takesInvalid = importsFrom(source, "~/i18n/validation-key");
  const use = (node: ts.Node, key: string) => {
    usage.literals.add(key);
    if (!usage.required.has(key)) usage.required.set(key, lineOf(source, node));
  };

  for (const node of descendants(source)) {
    if (ts.isStringLiteralLike(node)) {
      usage.literals.add(node.text);
      if (/^validation\.\w+$/.test(node.text)) use(node, node.text);
    }
    const argument = ts.isCallExpression(node) ? node.arguments[0] : undefined;
    if (!argument || !ts.isCallExpression(node)) continue;
    if (isTranslator(node.expression)) {
      for (const text of writtenTexts(argument)) {
        if (ts.isStringLiteralLike(text)) use(text, text.text);
        else if (ts.isTemplateHead(text)) usage.problems.push(madeUpKey(sourceFile, source, node));
      }
    }
    if (takesInvalid && isNamed(node.expression, "invalid") && ts.isStringLiteralLike(argument)) {
      use(argument, `validation.${argument.text}`);
    }
  }
  return usage;
}

function madeUpKey({ file }: TextFile, source: ts.SourceFile, node: ts.Node): Problem {
  const text = "builds a key at run time: write each full key out, for instance in a table";
  return { file, line: lineOf(source, node), text };
}

/** `t`, `t.rich`, or a translator called directly: `translatorFor(locale)`, `useTranslations()`. */
function isTranslator(callee: ts.Expression): boolean {
  if (isNamed(callee, "t")) return true;
  if (ts.isPropertyAccessExpression(callee)) {
    return TRANSLATOR_METHODS.includes(callee.name.text) && isTranslator(callee.expression);
  }
  if (!ts.isCallExpression(callee)) return false;
  return (
    isNamed(callee.expression, "translatorFor") || isNamed(callee.expression, "useTranslations")
  );
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

function importsFrom(source: ts.SourceFile, module: string): boolean {
  return source.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      statement.moduleSpecifier.text === module,
  );
}

/** Finds keys that no source uses, and used keys that don't exist. */
export function checkKeyUsage(sources: TextFile[], { file, byKey }: Messages): Problem[] {
  const used = new Set<string>();
  const problems = sources.flatMap((source) => {
    const usage = findKeyUsage(source);
    for (const literal of usage.literals) used.add(literal);
    const missing = [...usage.required].filter(([key]) => !byKey.has(key));
    return [
      ...usage.problems,
      ...missing.map(([key, line]) => ({
        file: source.file,
        line,
        text: `uses ${key}, which is not in ${file}: add it to every language or correct it`,
      })),
    ];
  });
  const unused = [...byKey].filter(([key]) => !used.has(key));
  return [
    ...problems,
    ...unused.map(([key, { line }]) => ({
      file,
      line,
      text: `${key} is not used in app/: remove it from every language`,
    })),
  ];
}
