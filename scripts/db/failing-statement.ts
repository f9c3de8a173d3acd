import { type SqlStatement, splitStatements } from "./sql-statements";

export interface Place {
  /** Counted from 1. */
  line: number;
  /** The statement's first line, at most 120 characters. */
  statement: string;
}

interface Failure {
  /** The server's `position`: counted from 1, in characters, where it gave one. */
  position: string | undefined;
  /** How many statements of the text the server reported complete before it failed. */
  completed: number;
}

/**
 * Which statement of `sql` the server refused. It says where a name or the syntax is wrong; for a
 * fault of data (a constraint, a division by zero) it does not, but the number of statements that it
 * completed before does. Null when neither leads to a statement.
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

/** The place of a whole statement, for refusals before anything ran. */
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
