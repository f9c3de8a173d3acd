import { type SqlStatement, splitStatements } from "./sql-statements";

export interface Place {
  /** Counted from 1. */
  line: number;
  /** The statement's first line, at most 120 characters. */
  statement: string;
}

interface Failure {
  /** The server's `position`, if it gave one: counted from 1, in characters. */
  position: string | undefined;
  /** Number of statements of the text that completed before the failure. */
  completed: number;
}

/**
 * Finds the statement of `sql` that the server refused. For a wrong name or syntax the server gives the
 * position. For a data error (a constraint, a division by zero) it doesn't, but the number of completed
 * statements leads there. Returns null if neither does.
 */
export function locateFailure(sql: string, failure: Failure): Place | null {
  const statements = splitStatements(sql);
  if (failure.position === undefined) {
    const statement = statements[failure.completed];
    return statement ? placeOf(sql, statement, statement.start) : null;
  }
  const offset = offsetOf(sql, Number(failure.position));
  const statement = statements.findLast(({ start }) => start <= offset);
  return statement ? placeOf(sql, statement, offset) : null;
}

/** The place of a whole statement, for refusals before anything runs. */
export function placeOf(sql: string, statement: SqlStatement, offset = statement.start): Place {
  return { line: lineAt(sql, offset), statement: shorten(statement.text.split("\n")[0] ?? "") };
}

/** The server counts code points, JavaScript UTF-16 units. */
function offsetOf(sql: string, position: number): number {
  let offset = 0;
  for (const character of sql) {
    position -= 1;
    if (position <= 0) break;
    offset += character.length;
  }
  return offset;
}

const lineAt = (sql: string, offset: number) => sql.slice(0, offset).split("\n").length;

function shorten(text: string): string {
  const LONGEST = 120;
  const characters = [...text.trim()];
  return characters.length <= LONGEST
    ? characters.join("")
    : `${characters.slice(0, LONGEST - 1).join("")}…`;
}
