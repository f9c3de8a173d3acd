import { compareBytes, type MigrationFile } from "../migrations-folder";
import type { Finding } from "./finding";
import { checkOwnRules } from "./own-rules";
import { type MigrationsFolder, runSquawk } from "./squawk";

/**
 * Finds statements that would block, fail or lose data on a database in use, by file and line. Indexes
 * and constraints of a table that the same file creates are safe. It doesn't replace a review.
 */
export function lintMigrations(folder: MigrationsFolder, files: MigrationFile[]): Finding[] {
  return [...runSquawk(folder, files), ...files.flatMap(checkOwnRules)].sort(
    (a, b) => compareBytes(a.file, b.file) || a.line - b.line,
  );
}
