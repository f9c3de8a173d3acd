import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import {
  compareBytes,
  isMigrationName,
  type MigrationFile,
  toMigration,
} from "../db/migrations-folder";

export const MIGRATIONS_FOLDER = "prisma/migrations";
export const SCHEMA = "prisma/schema.prisma";

/** The project's files. Paths have forward slashes. */
export interface Tree {
  /** For messages. */
  name: string;
  /** Returns null if the file doesn't exist. */
  read(file: string): Buffer | null;
  /** Returns every file of the project in the byte order of the paths, without files that Git ignores. */
  list(): string[];
}

const MOST_BYTES = 256 * 1024 * 1024;

/** Never part of the project; used for folders without a Git repository. */
const NEVER_OURS = new Set([
  ".git",
  "node_modules",
  ".data",
  "build",
  "coverage",
  "generated",
  ".env",
]);

export function folderTree(folder: string): Tree {
  return {
    name: folder,
    read: (file) => {
      const full = path.join(folder, file);
      return existsSync(full) && statSync(full).isFile() ? readFileSync(full) : null;
    },
    list: () => (listByGit(folder) ?? walk(folder, "")).sort(compareBytes),
  };
}

/** Returns standard output, or null if Git failed or isn't installed. */
export function git(folder: string, args: string[]): string | null {
  try {
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    return execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      stdio,
    });
  } catch {
    return null;
  }
}

export function readTextOf(tree: Tree, file: string): string | null {
  return tree.read(file)?.toString("utf8").replace(/\r\n?/g, "\n") ?? null;
}

/** Throws if the file is missing or isn't a JSON object. */
export function readJsonOf(tree: Tree, file: string): Record<string, unknown> {
  const text = readTextOf(tree, file);
  if (text === null) throw new Error(`${tree.name} has no ${file}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} of ${tree.name} is not JSON`);
  }
}

/** Returns the migrations in the order they are applied. */
export function readMigrationsOf(tree: Tree): MigrationFile[] {
  const prefix = `${MIGRATIONS_FOLDER}/`;
  return tree.list().flatMap((file) => {
    const name = file.slice(prefix.length);
    const bytes = file.startsWith(prefix) && isMigrationName(name) ? tree.read(file) : null;
    return bytes ? [toMigration(name, bytes)] : [];
  });
}

function listByGit(folder: string): string[] | null {
  const top = git(folder, ["rev-parse", "--show-cdup"]);
  // A folder inside another repository (a home directory under Git) doesn't count as that repository.
  if (top === null || top.trim() !== "") return null;
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const files = (git(folder, args) ?? "").split("\0").filter(Boolean);
  return files.filter((file) => existsSync(path.join(folder, file)));
}

function walk(folder: string, below: string): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(below, entry.name);
    if (NEVER_OURS.has(entry.name)) return [];
    if (entry.isDirectory()) return walk(folder, file);
    return entry.isFile() ? [file] : [];
  });
}
