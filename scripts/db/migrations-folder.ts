import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describeError } from "../lib/describe-error";
import { MigrationError } from "./migration-error";

export interface MigrationFile {
  /** The file's name, `.sql` included: what `app_migrations` records. */
  name: string;
  /** As executed: no byte order mark, line ends `\n`. */
  sql: string;
  /** SHA-256 of `sql` in hexadecimal. */
  checksum: string;
  /** Whether its first line is `-- no-transaction`. */
  noTransaction: boolean;
}

/**
 * Reads the migrations of a folder in the byte order of their names. Hidden files (editors and
 * archivers leave some) and folders are passed over. Throws MigrationError `folder` or `file`.
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

/** The order of migrations: by bytes, so that no locale and no runtime has a say in it. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether a file of this name in the migrations folder is one. */
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

/** The migration that these bytes are, from wherever they came. Throws when they are not UTF-8. */
export function toMigration(name: string, bytes: Buffer): MigrationFile {
  const sql = normaliseText(bytes);
  return { name, sql, checksum: sha256(sql), noTransaction: isNoTransaction(sql) };
}

/**
 * Line ends differ between checkouts of one commit. They are made equal before the checksum, and
 * before execution too, or a line break inside a string would differ between two databases.
 */
export function normaliseText(bytes: Buffer): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  return text.replace(/\r\n?/g, "\n");
}

/** In hexadecimal. */
export const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

const isNoTransaction = (sql: string) => /^\s*--[ \t]*no-transaction(?![\w-])/.test(sql);
