import { plainSql } from "../sql-statements";

const PART = String.raw`(?:"(?:[^"]|"")+"|[\w$\u0080-\uffff]+)`;
/** A name, possibly with its schema, as it stands in plain SQL. */
export const NAME = String.raw`${PART}(?:\s?\.\s?${PART})*`;

/** What the rules look at: one statement, and for ALTER TABLE one of its actions at a time. */
export interface ReadStatement {
  /** As `plainSql` gives it. */
  plain: string;
  /** The table it changes, as `tableKey` writes it; null when it changes none. */
  table: string | null;
  /** The actions of an ALTER TABLE, in order; empty for every other statement. */
  actions: string[];
}

const ALTER_TABLE = new RegExp(
  `^alter (?:foreign )?table (?:if exists )?(?:only )?(${NAME})\\s?\\*?\\s?(.*)$`,
);
const INDEX_ON = new RegExp(`^create (?:unique )?index\\b.*? on (?:only )?(${NAME})`);
const WRITTEN = new RegExp(
  `^(?:update (?:only )?|delete from (?:only )?|truncate (?:table )?(?:only )?)(${NAME})`,
);

export function readStatement(text: string): ReadStatement {
  const plain = plainSql(text);
  const [, altered, rest = ""] = ALTER_TABLE.exec(plain) ?? [];
  const table = altered ?? INDEX_ON.exec(plain)?.[1] ?? WRITTEN.exec(plain)?.[1];
  return {
    plain,
    table: table === undefined ? null : tableKey(table),
    actions: altered === undefined ? [] : splitAtCommas(rest),
  };
}

/** One spelling for every way to write a name: without quotes, and without the schema `public`. */
export function tableKey(name: string): string {
  const parts = [...name.matchAll(new RegExp(PART, "g"))].map(([part]) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part,
  );
  if (parts.length > 1 && parts[0] === "public") parts.shift();
  return parts.join(".");
}

/** At commas outside parentheses, brackets and quoted names. */
function splitAtCommas(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const [piece] of text.matchAll(/"(?:[^"]|"")*"|[^"]/g)) {
    if (piece === "(" || piece === "[") depth += 1;
    if (piece === ")" || piece === "]") depth -= 1;
    if (piece === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.trim());
}
