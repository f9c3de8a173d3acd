import type { MigrationFile } from "../db/migrations-folder";
import type { Manifest } from "./manifest";
import { MIGRATIONS_FOLDER, readMigrationsOf, readTextOf, type Tree } from "./tree";

export const CHECKSUMS_FILE = `${MIGRATIONS_FOLDER}/meta/_checksums.sha256`;

/** Reads name → committed checksum, in the format of `sha256sum`: one line per migration merges well. */
export function readChecksums(tree: Tree): Map<string, string> {
  const lines = (readTextOf(tree, CHECKSUMS_FILE) ?? "").split("\n");
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, checksum = "", name = ""] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
      return name ? [[name, checksum]] : [];
    }),
  );
}

export interface ChecksumFaults {
  edited: string[];
  missing: string[];
  unrecorded: string[];
}

/** Compares the migrations with their recorded checksums. */
export function compareChecksums(
  files: MigrationFile[],
  recorded: Map<string, string>,
): ChecksumFaults {
  const present = new Set(files.map(({ name }) => name));
  return {
    edited: files.flatMap(({ name, checksum }) =>
      recorded.has(name) && recorded.get(name) !== checksum ? [name] : [],
    ),
    missing: [...recorded.keys()].filter((name) => !present.has(name)),
    unrecorded: files.flatMap(({ name }) => (recorded.has(name) ? [] : [name])),
  };
}

interface Recording {
  /** The checksum file's new text. */
  text: string;
  /** One line for each changed record. */
  notes: string[];
}

/**
 * Records the migrations' current checksums. Throws if a migration of the installed release was edited
 * or deleted: databases have applied it, so the file must be restored.
 */
export function recordChecksums(tree: Tree, manifest: Manifest): Recording {
  const files = readMigrationsOf(tree);
  const { edited, missing, unrecorded } = compareChecksums(files, readChecksums(tree));
  const isReleased = (name: string) => `${MIGRATIONS_FOLDER}/${name}` in manifest.files;
  const refused = [...edited, ...missing].filter(isReleased);
  if (refused.length > 0) {
    throw new Error(
      `${refused.join(", ")}: part of release ${manifest.version}, and edited or gone since; bring it back from git, and put the change into a new migration`,
    );
  }
  return {
    text: renderChecksums(files),
    notes: [
      ...unrecorded.map((name) => `recorded ${name}`),
      ...edited.map((name) => `recorded ${name} again: a database that has had it will refuse it`),
      ...missing.map((name) => `forgot ${name}: a database that has had it will miss it`),
    ],
  };
}

const renderChecksums = (files: MigrationFile[]) =>
  files.map(({ name, checksum }) => `${checksum}  ${name}\n`).join("");
