import ts from "typescript";
import type { TextFile } from "../lib/read-files";

/** Parses one source file, without types or other files. */
export function parseSource({ file, text }: TextFile): ts.SourceFile {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
}

/** Yields every node below `node`, outer ones first. */
export function* descendants(node: ts.Node): Generator<ts.Node> {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* descendants(child);
  }
}

/** Returns the line, from 1, where a node's own text starts. */
export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/**
 * Returns the literal texts that an expression may evaluate to: both sides of a conditional, the fixed
 * parts of a template. The result of a call is unknown.
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
