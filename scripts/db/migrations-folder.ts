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
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.sql$/.test(entry.name))
    .map((entry) => entry.name)
    .sort(compareBytes);
  return Promise.all(names.map((name) => readMigration(folder, name)));
}

/** The order of migrations: by bytes, so that no locale and no runtime has a say in it. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function readMigration(folder: string, name: string): Promise<MigrationFile> {
  try {
    const sql = normalise(await readFile(path.join(folder, name)));
    return { name, sql, checksum: checksum(sql), noTransaction: isNoTransaction(sql) };
  } catch (error) {
    throw new MigrationError("file", `cannot read ${name}: ${describeError(error)}`, {
      file: name,
    });
  }
}

/**
 * Line ends differ between checkouts of one commit. They are made equal before the checksum, and
 * before execution too, or a line break inside a string would differ between two databases.
 */
function normalise(bytes: Buffer): string {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  return text.replace(/\r\n?/g, "\n");
}

const checksum = (sql: string) => createHash("sha256").update(sql).digest("hex");

const isNoTransaction = (sql: string) => /^\s*--[ \t]*no-transaction(?![\w-])/.test(sql);
