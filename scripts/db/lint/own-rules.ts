import { placeOf } from "../failing-statement";
import type { MigrationFile } from "../migrations-folder";
import { plainSql, splitStatements } from "../sql-statements";
import type { Finding } from "./finding";

/** The two rules that squawk lacks. */
export function checkOwnRules(file: MigrationFile): Finding[] {
  return [...findWholeTableWrites(file), ...findUnexplainedIgnores(file)];
}

const WHOLE_TABLE = /^(truncate\b|(update|delete)\b(?!.*\bwhere\b))/;

function findWholeTableWrites({ name, sql }: MigrationFile): Finding[] {
  return splitStatements(sql)
    .filter(({ text }) => WHOLE_TABLE.test(plainSql(text)))
    .map((statement) => ({
      file: name,
      line: placeOf(sql, statement).line,
      rule: "whole-table-write",
      text: "Every row stays locked until the file ends, and deleted rows are gone. Give it a WHERE, and change many rows in batches outside the migration. If you mean every row, write WHERE true.",
    }));
}

/** More than the one word that db:generate writes above a statement, such as `-- AlterTable`. */
const FEWEST_WORDS = 3;

function findUnexplainedIgnores({ name, sql }: MigrationFile): Finding[] {
  const lines = sql.split("\n");
  return lines.flatMap((line, at) => {
    if (!line.includes("squawk-ignore") || hasReason(lines.slice(0, at))) return [];
    return [
      {
        file: name,
        line: at + 1,
        rule: "unexplained-ignore",
        text: "Nobody can judge it without a reason. Write the reason as a comment on the line above.",
      },
    ];
  });
}

/** Whether the comment lines that end `above` give a reason. */
function hasReason(above: string[]): boolean {
  const firstOther = above.findLastIndex((line) => !/^\s*--(?!\s*squawk-ignore)/.test(line));
  const words = above.slice(firstOther + 1).flatMap((line) => line.match(/\p{L}+/gu) ?? []);
  return words.length >= FEWEST_WORDS;
}
