import { statSync } from "node:fs";
import { getMigrationStatus } from "../../db/migration-status";
import { requireDatabaseUrl } from "../../lib/database-url";
import { git, MIGRATIONS_FOLDER } from "../tree";

const OLDEST_BACKUP_MS = 24 * 60 * 60 * 1000;

/** Throws unless everything is committed, so that `git switch` restores the old state. */
export function requireCommitted(folder: string): void {
  const status = git(folder, ["status", "--porcelain"]);
  if (status === null)
    throw new Error("this folder is not a git repository: commit the project first");
  if (status.trim() !== "") {
    throw new Error("there are changes that are not committed: commit or stash them first");
  }
}

interface DataBackup {
  /** The path of a dump. */
  backup?: string | undefined;
  /** The location of a backup that can't be checked from here, in the operator's words. */
  backedUp?: string | undefined;
}

/**
 * Throws unless the data in DATABASE_URL is backed up, or there is none. Returns its finding, for
 * people.
 */
export async function requireBackup({ backup, backedUp }: DataBackup): Promise<string> {
  const { applied } = await getMigrationStatus(requireDatabaseUrl(), MIGRATIONS_FOLDER);
  if (applied.length === 0) return "the database is new: nothing to back up";
  if (backup !== undefined) return describeBackup(backup);
  if (backedUp?.trim()) return `a backup, as you stated: ${backedUp}`;
  throw new Error(
    "the database holds data: name a backup of it with --backup <file>, or with --backed-up <where it is>",
  );
}

function describeBackup(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size === 0)
    throw new Error(`${file} is not a backup: it is missing or empty`);
  const age = Date.now() - stats.mtimeMs;
  if (age > OLDEST_BACKUP_MS) {
    throw new Error(`${file} is ${Math.round(age / 3_600_000)} hours old: make a new backup`);
  }
  return `${file}, ${stats.size} bytes, ${Math.round(age / 60_000)} minutes old`;
}
