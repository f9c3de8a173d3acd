import { placeOf } from "../failing-statement";
import type { MigrationFile } from "../migrations-folder";
import { type SqlStatement, splitStatements } from "../sql-statements";
import { findFaults, RULES, type Rule } from "./rules";
import { createSchemaSoFar, type SchemaSoFar } from "./schema-so-far";
import { readStatement } from "./statement-reader";

/** One statement that is dangerous on a database in use, or one permission that is none. */
export interface Finding {
  file: string;
  /** From 1. */
  line: number;
  rule: Rule | "lint-allow";
  /** What happens, and what to write instead. */
  text: string;
  /** The reason given in a `lint-allow` comment; null when there is none. */
  allowed: string | null;
}

/**
 * Reads the files in their order and finds what would block, fail or lose data on tables that were
 * there before the file. It reads SQL by its words and connects to nothing: a review has still to be done.
 */
export function lintMigrations(files: MigrationFile[]): Finding[] {
  const schema = createSchemaSoFar();
  return files.flatMap((file) => lintFile(file, schema));
}

function lintFile(file: MigrationFile, schema: SchemaSoFar): Finding[] {
  schema.beginFile();
  let end = 0;
  const findings = splitStatements(file.sql).flatMap((statement) => {
    const before = end;
    end = statement.start + statement.text.length;
    return lintStatement({ file, statement, before, schema });
  });
  return [...findings, ...uselessPermissions({ file, from: end, to: file.sql.length, used: [] })];
}

interface StatementToLint {
  file: MigrationFile;
  statement: SqlStatement;
  /** Where the statement before it ended: the comments in between are this one's. */
  before: number;
  schema: SchemaSoFar;
}

function lintStatement({ file, statement, before, schema }: StatementToLint): Finding[] {
  const read = readStatement(statement.text);
  const faults = findFaults(read, schema);
  schema.follow(read);
  const end = statement.start + statement.text.length;
  const permissions = permissionsIn(file.sql, before, end);
  const { line } = placeOf(file.sql, statement);
  const findings = faults.map((rule) => ({
    file: file.name,
    line,
    rule,
    text: RULES[rule],
    allowed: permissions.find((permission) => permission.rule === rule)?.reason || null,
  }));
  return [...findings, ...uselessPermissions({ file, from: before, to: end, used: faults })];
}

/** `-- lint-allow drop-column: nobody has read it since 1.2`, above the statement or inside it. */
function permissionsIn(sql: string, from: number, to: number) {
  const comments = sql
    .slice(from, to)
    .matchAll(/--[ \t]*lint-allow\b[ \t]*([\w-]*)(?::[ \t]*(.*))?/g);
  return [...comments].map(({ 1: rule = "", 2: reason = "", index }) => ({
    rule,
    reason: reason.trim(),
    line: sql.slice(0, from + index).split("\n").length,
  }));
}

interface Permissions {
  file: MigrationFile;
  from: number;
  to: number;
  /** The rules that the statement breaks. */
  used: Rule[];
}

/** A permission without a reason, or for what is not there, would hide the next mistake. */
function uselessPermissions({ file, from, to, used }: Permissions): Finding[] {
  return permissionsIn(file.sql, from, to).flatMap(({ rule, reason, line }) => {
    const isUsed = used.some((name) => name === rule);
    if (isUsed && reason) return [];
    const text = isUsed
      ? `say why: \`-- lint-allow ${rule}: <reason>\``
      : `allows '${rule}', which the statement below it does not break: take it out, or correct the rule's name`;
    return [{ file: file.name, line, rule: "lint-allow" as const, text, allowed: null }];
  });
}
