import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describeError } from "~/utils/describe-error";
import { MigrationError } from "./migration-error";

export interface MigrationFile {
  /** The file's name with `.sql`, as `app_migrations` records it. */
  name: string;
  /** As executed: no byte order mark, line ends are `\n`. */
  sql: string;
  /** SHA-256 of `sql` in hexadecimal. */
  checksum: string;
  /** Whether its first line is `-- no-transaction`. */
  noTransaction: boolean;
}

/**
 * Reads a folder's migrations in the byte order of their names. Skips folders and hidden files, which
 * editors and archivers leave. Throws MigrationError `folder` or `file`.
 */
export async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    throw new MigrationError("folder", `cannot read the migrations: ${describeError(error)}`);
  });
  const names = entries
    .filter((entry) => !entry.isDirectory() && isMigrationName(entry.name))
    .map((entry) => entry.name)
    .sort(compareBytes);
  return Promise.all(names.map((name) => readMigration(folder, name)));
}

/** Sorts migrations by bytes, so that the order doesn't depend on locale or runtime. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether a file name in the migrations folder is a migration's. */
export const isMigrationName = (name: string): boolean => /^[^./][^/]*\.sql$/.test(name);

async function readMigration(folder: string, name: string): Promise<MigrationFile> {
  try {
    return toMigration(name, await readFile(path.join(folder, name)));
  } catch (error) {
    throw new MigrationError("file", `cannot read ${name}: ${describeError(error)}`, {
      file: name,
    });
  }
}

/** Makes a migration from a file's bytes. Throws if they aren't UTF-8. */
export function toMigration(name: string, bytes: Buffer): MigrationFile {
  const sql = normaliseText(bytes);
  return { name, sql, checksum: sha256(sql), noTransaction: isNoTransaction(sql) };
}

/**
 * Makes line ends equal, because they differ between checkouts of one commit. This happens before the
 * checksum, and before execution: otherwise a line break inside a string would differ between two
 * databases.
 */
function normaliseText(bytes: Buffer): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  return text.replace(/\r\n?/g, "\n");
}

/** In hexadecimal. */
export const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

const isNoTransaction = (sql: string) => /^\s*--[ \t]*no-transaction(?![\w-])/.test(sql);
