import ts from "typescript";
import type { TextFile } from "../lib/read-files";

/** Parses one source file by itself: no types, no other file. */
export function parseSource({ file, text }: TextFile): ts.SourceFile {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
}

/** Every node below `node`, outer ones first. */
export function* descendants(node: ts.Node): Generator<ts.Node> {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* descendants(child);
  }
}

/** The line, from 1, on which a node's own text begins. */
export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/**
 * The texts an expression may come to, as far as they are written out in it: both sides of a choice,
 * the fixed parts of a template. What a call answers is not known.
 */
export function writtenTexts(expression: ts.Expression): ts.LiteralLikeNode[] {
  if (ts.isStringLiteralLike(expression)) return [expression];
  if (ts.isTemplateExpression(expression)) {
    return [
      expression.head,
      ...expression.templateSpans.flatMap((span) => [
        ...writtenTexts(span.expression),
        span.literal,
      ]),
    ];
  }
  if (ts.isConditionalExpression(expression)) {
    return [...writtenTexts(expression.whenTrue), ...writtenTexts(expression.whenFalse)];
  }
  if (ts.isBinaryExpression(expression)) {
    const { left, operatorToken, right } = expression;
    const leftIsShown = [
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.PlusToken,
    ].includes(operatorToken.kind);
    const isChoice = leftIsShown || operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    return isChoice ? [...(leftIsShown ? writtenTexts(left) : []), ...writtenTexts(right)] : [];
  }
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isNonNullExpression(expression)
  ) {
    return writtenTexts(expression.expression);
  }
  return [];
}
