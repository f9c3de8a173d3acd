import { addColumnFaults } from "./add-column-rules";
import type { SchemaSoFar } from "./schema-so-far";
import { NAME, type ReadStatement, tableKey } from "./statement-reader";

/** What each rule is about: what happens to a service under load, and what to write instead. */
export const RULES = {
  "drop-table":
    "the rows are gone, and code that still runs reads them: stop using the table in one release, drop it in a later one",
  "drop-column":
    "the data is gone, and code that still runs reads it: stop using the column in one release, drop it in a later one",
  rename:
    "code that still runs uses the old name: add the new one, write both, move the readers, and drop the old one in a later release",
  "column-type":
    "the table may be rewritten, and nobody reads or writes it meanwhile: add a column of the new type, fill it in batches, and switch",
  "table-rewrite":
    "the table is rewritten, and nobody reads or writes it meanwhile: add the column without that, then set the default, and fill it in batches",
  "set-not-null":
    "every row is read while nobody reads or writes the table: first ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, then VALIDATE CONSTRAINT in a later file",
  "required-column":
    "it fails on a table with rows: give it a DEFAULT, or add it without NOT NULL and fill it first",
  "constraint-scan":
    "every row is checked under a lock that stops writes: add it NOT VALID, and VALIDATE CONSTRAINT in a later file",
  "blocking-index":
    "nobody writes to the table until the index is built: CREATE INDEX CONCURRENTLY in a `-- no-transaction` file (for a constraint, then ADD … USING INDEX)",
  "whole-table-write":
    "every row is locked until the file ends, and what is deleted is gone: give it a WHERE, and do much of it in batches outside the migration",
  "not-read": "what stands inside is not checked: read it yourself",
} as const;

export type Rule = keyof typeof RULES;

const DROP_TABLE = new RegExp(`^drop (?:table|schema) (?:if exists )?(${NAME})`);
const SET_NOT_NULL = new RegExp(`^alter (?:column )?(${NAME}) set not null`);

/** The rules that a statement breaks. A table that the same file made is nobody's yet: all is allowed. */
export function findFaults(statement: ReadStatement, schema: SchemaSoFar): Rule[] {
  const { plain, table, actions } = statement;
  const dropped = DROP_TABLE.exec(plain)?.[1];
  if (dropped !== undefined) return schema.isNew(tableKey(dropped)) ? [] : ["drop-table"];
  if (table !== null && schema.isNew(table)) return [];
  const faults = [
    ...statementFaults(plain),
    ...actions.flatMap((action) => actionFaults(action, table ?? "", schema)),
  ];
  return [...new Set(faults)];
}

function statementFaults(plain: string): Rule[] {
  if (/^do\b/.test(plain)) return ["not-read"];
  if (/^(create (unique )?index|reindex)\b/.test(plain)) {
    return /\bconcurrently\b/.test(plain) ? [] : ["blocking-index"];
  }
  if (/^truncate\b/.test(plain)) return ["whole-table-write"];
  if (/^(update|delete)\b/.test(plain)) {
    return /\bwhere\b/.test(plain) ? [] : ["whole-table-write"];
  }
  if (/^(cluster\b|vacuum \(?[^;]*\bfull\b)/.test(plain)) return ["table-rewrite"];
  return /^alter type\b.* rename (value|attribute|to)\b/.test(plain) ? ["rename"] : [];
}

function actionFaults(action: string, table: string, schema: SchemaSoFar): Rule[] {
  if (/^rename (?!constraint\b)|^set schema\b/.test(action)) return ["rename"];
  if (/^drop (?!constraint\b)/.test(action)) return ["drop-column"];
  if (new RegExp(`^alter (?:column )?${NAME} (?:set data )?type\\b`).test(action)) {
    return ["column-type"];
  }
  if (/^set (tablespace|logged|unlogged|access method)\b/.test(action)) return ["table-rewrite"];
  const required = SET_NOT_NULL.exec(action)?.[1];
  if (required !== undefined) {
    return schema.hasNotNullCheck(table, tableKey(required)) ? [] : ["set-not-null"];
  }
  if (/^add (constraint|check|foreign key|unique|primary key|exclude)\b/.test(action)) {
    return constraintFaults(action);
  }
  return /^add\b/.test(action) ? addColumnFaults(action) : [];
}

function constraintFaults(action: string): Rule[] {
  const kind = new RegExp(`^add (?:constraint ${NAME} )?(\\w+)`).exec(action)?.[1];
  if (kind === "check" || kind === "foreign") {
    return /\bnot valid$/.test(action) ? [] : ["constraint-scan"];
  }
  return /\busing index\b/.test(action) && kind !== "exclude" ? [] : ["blocking-index"];
}
