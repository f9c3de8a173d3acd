export interface SqlStatement {
  /** Offset of the first character that is neither space nor comment. */
  start: number;
  /** Up to its semicolon, exclusive. */
  text: string;
}

const LETTER = String.raw`[A-Za-z_\u0080-\uffff]`;
const TOKEN = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*)`,
    String.raw`(?<comment>/\*)`,
    "(?<escapeString>[eE]')",
    String.raw`(?<quote>['"]|\$(?:${LETTER}(?:${LETTER}|\d)*)?\$)`,
    String.raw`(?<word>${LETTER}(?:${LETTER}|[\d$])*)`,
    String.raw`\$?\d[\w.]*`,
    "(?<symbol>.)",
  ].join("|"),
  "sy",
);

/**
 * Splits SQL like psql: at semicolons outside quotes, dollar quotes, comments, parentheses and `BEGIN
 * ATOMIC … END` bodies. Used only to name the statement in an error; the whole file is always executed
 * unchanged.
 */
export function splitStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let start: number | null = null;
  let nesting = newNesting();
  const finish = (end: number) => {
    if (start !== null) statements.push({ start, text: sql.slice(start, end).trimEnd() });
    start = null;
    nesting = newNesting();
  };

  for (const { at, token } of readTokens(sql)) {
    if (token.space || token.comment) continue;
    if (token.symbol === ";" && nesting.parentheses + nesting.bodies === 0) {
      finish(at);
    } else {
      start ??= at;
      nest(nesting, token);
    }
  }
  finish(sql.length);
  return statements;
}

type Token = Record<string, string | undefined>;

/**
 * Normalises a statement for rules: no comments, one space between words, no text in strings, words in
 * lower case. Quoted names stay unchanged.
 */
export function plainSql(text: string): string {
  const parts = [...readTokens(text)].map(({ at, end, token }) => {
    if (token.space || token.comment) return " ";
    if (token.escapeString || (token.quote && token.quote !== '"')) return "''";
    return token.word ? token.word.toLowerCase() : text.slice(at, end);
  });
  return parts.join("").replace(/\s+/g, " ").trim();
}

/** Yields every token with its start and end; quoted or commented text is one token. */
function* readTokens(sql: string): Generator<{ at: number; end: number; token: Token }> {
  for (let at = 0, end = 0; at < sql.length; at = end) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(sql)?.groups ?? {};
    end = endOfToken(sql, TOKEN.lastIndex, token);
    yield { at, end, token };
  }
}

/** The depth of parentheses and routine bodies, and the statement's first words. */
const newNesting = () => ({ parentheses: 0, bodies: 0, words: [] as string[] });

function nest(nesting: ReturnType<typeof newNesting>, { symbol, word }: Token): void {
  if (symbol === "(") nesting.parentheses += 1;
  if (symbol === ")" && nesting.parentheses > 0) nesting.parentheses -= 1;
  if (!word) return;
  const keyword = word.toLowerCase();
  if (nesting.words.length < 4) nesting.words.push(keyword);
  const isRoutine = /^create (or replace )?(function|procedure)\b/.test(nesting.words.join(" "));
  if (!isRoutine || nesting.parentheses > 0) return;
  // CASE … END nests in BEGIN ATOMIC … END; outside it neither word matters.
  if (keyword === "begin" || (keyword === "case" && nesting.bodies > 0)) nesting.bodies += 1;
  if (keyword === "end" && nesting.bodies > 0) nesting.bodies -= 1;
}

function endOfToken(sql: string, end: number, { comment, escapeString, quote }: Token): number {
  if (comment) return endOfComment(sql, end);
  if (escapeString) return endOfEscapeString(sql, end);
  if (!quote) return end;
  // A doubled quote reads as the end of one string and the start of the next; the result is the same.
  const closing = sql.indexOf(quote, end);
  return closing < 0 ? sql.length : closing + quote.length;
}

function endOfEscapeString(sql: string, from: number): number {
  for (let at = from; at < sql.length; at += 1) {
    if (sql[at] === "\\" || sql.startsWith("''", at)) at += 1;
    else if (sql[at] === "'") return at + 1;
  }
  return sql.length;
}

/** Block comments nest in PostgreSQL. */
function endOfComment(sql: string, from: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  for (let depth = 1; depth > 0; ) {
    const match = edge.exec(sql);
    if (!match) return sql.length;
    depth += match[0] === "/*" ? 1 : -1;
  }
  return edge.lastIndex;
}
