import ts from "typescript";
import type { TextFile } from "../lib/read-files";
import { lineAt, type Problem } from "./problem";

interface Message {
  text: string;
  /** Line in its file, from 1. */
  line: number;
}

/** One language's file, flattened: messages by full key, such as `files.failure.size`. */
export interface Messages {
  locale: string;
  file: string;
  byKey: Map<string, Message>;
}

/**
 * Reads a language's JSON with the line of every message. Reports two faults that JSON.parse accepts: a
 * duplicate key, whose first value would be lost, and a value that isn't text.
 */
export function readMessages(
  locale: string,
  { file, text }: TextFile,
): { messages: Messages; problems: Problem[] } {
  const messages: Messages = { locale, file, byKey: new Map() };
  try {
    JSON.parse(text);
  } catch (error) {
    const problem = `is not JSON (${(error as Error).message}): correct it`;
    return { messages, problems: [{ file, line: 1, text: problem }] };
  }
  const source = ts.parseJsonText(file, text);
  const problems: Problem[] = [];
  const seen = new Set<string>();

  function readGroup(group: ts.Expression | undefined, prefix: string): void {
    if (!group || !ts.isObjectLiteralExpression(group)) {
      problems.push({ file, line: 1, text: "is not a JSON object: put the messages into one" });
      return;
    }
    for (const property of group.properties) {
      if (!ts.isPropertyAssignment(property) || !ts.isStringLiteral(property.name)) continue;
      const key = `${prefix}${property.name.text}`;
      const line = lineAt(text, property.name.getStart(source));
      if (seen.has(key)) problems.push({ file, line, text: `${key} is given twice: keep one` });
      seen.add(key);
      const value = property.initializer;
      if (ts.isStringLiteral(value)) messages.byKey.set(key, { text: value.text, line });
      else if (ts.isObjectLiteralExpression(value)) readGroup(value, `${key}.`);
      else
        problems.push({
          file,
          line,
          text: `${key} is neither a text nor a group of texts: correct it`,
        });
    }
  }
  readGroup(source.statements[0]?.expression, "");
  return { messages, problems };
}
