import pg from "pg";
import { describeError } from "~/utils/describe-error";
import { redactUrlCredentials } from "../lib/redact";
import { locateFailure, type Place, placeOf } from "./failing-statement";
import { MigrationError } from "./migration-error";
import type { MigrationFile } from "./migrations-folder";
import { splitStatements } from "./sql-statements";

/** SQLSTATEs for "already exists" and "doesn't exist": signs of an interrupted run. */
const DONE_BEFORE = new Set(["42P07", "42710", "42704", "42P01"]);

/** A file that ends its transaction can't be recorded in it. */
const TRANSACTION_CONTROL =
  /^(begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!(\s+(work|transaction))?\s+to\b))\b/i;

/** Throws, before anything runs, if a statement of the file begins or ends a transaction. */
export function refuseTransactionControl(file: MigrationFile): void {
  const statement = splitStatements(file.sql).find(({ text }) => TRANSACTION_CONTROL.test(text));
  if (!statement) return;
  const message = "a migration cannot begin or end a transaction: the runner does, with its record";
  throw failureAt(file, placeOf(file.sql, statement), message);
}

/**
 * Makes the error for a statement that the server refused after `completed` others of the same file.
 * Leaves out the server's `detail`: for a violated constraint it holds the row, and so personal data.
 */
export function statementFailure(
  file: MigrationFile,
  error: unknown,
  { completed = 0, afterword = "" },
): MigrationError {
  if (!(error instanceof pg.DatabaseError)) return lostConnection(file, error);
  const place = locateFailure(file.sql, { position: error.position, completed });
  return failureAt(file, place, `${describeError(error)}${advice(error, file)}${afterword}`);
}

/** Makes the error for a failure outside the file's statements: its record, its COMMIT, the connection. */
export function fileFailure(file: MigrationFile, error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  if (!(error instanceof pg.DatabaseError)) return lostConnection(file, error);
  return failureAt(file, null, `${describeError(error)} (when it was recorded and committed)`);
}

export function failureAt(file: MigrationFile, place: Place | null, message: string) {
  const where = place ? `${file.name}, line ${place.line}` : file.name;
  const quoted = place ? ` — in: ${place.statement}` : "";
  return new MigrationError("statement", redactUrlCredentials(`${where}: ${message}${quoted}`), {
    file: file.name,
    ...place,
  });
}

function lostConnection(file: MigrationFile, error: unknown): MigrationError {
  return new MigrationError(
    "connection",
    `${file.name}: the database connection was lost (${describeError(error)}): db:status says whether the file was applied`,
    { file: file.name },
  );
}

function advice({ code }: pg.DatabaseError, file: MigrationFile): string {
  if (code === "55P03") {
    return ": another session holds the lock it needs; run again at a quieter time, or give --lock-timeout";
  }
  if (code === "55P04") return ": a new enum value can be used in a later file only";
  if (code === "25001" && !file.noTransaction) {
    return ": let it be the only statement of a file whose first line is `-- no-transaction`";
  }
  if (file.noTransaction && code && DONE_BEFORE.has(code)) {
    return ": if an earlier run did this and was cut off before it was recorded, add IF [NOT] EXISTS to this file and run again";
  }
  return "";
}
