/** The kind of failure, for code; the message is for people. */
export type MigrationFault =
  | "folder"
  | "connection"
  | "database"
  | "pooled"
  | "locked"
  | "baseline"
  | "changed"
  | "missing"
  | "out-of-order"
  | "file"
  | "statement";

interface MigrationErrorDetails {
  /** The migration's file name. */
  file?: string;
  /** Counted from 1 in that file. */
  line?: number;
  /** The first line of the statement at fault, at most 120 characters. */
  statement?: string;
  /** The driver's error code, if it gave one. */
  code?: string | undefined;
}

/**
 * Why migrations were not (all) applied. The message is one line, names the file, says what to do if
 * that is known, and holds no credentials.
 */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
  readonly fault: MigrationFault;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly statement: string | undefined;
  readonly code: string | undefined;

  constructor(fault: MigrationFault, message: string, details: MigrationErrorDetails = {}) {
    super(message);
    this.fault = fault;
    this.file = details.file;
    this.line = details.line;
    this.statement = details.statement;
    this.code = details.code;
  }
}
