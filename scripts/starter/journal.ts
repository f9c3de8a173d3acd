import type { MigrationFile } from "../db/migrations-folder";
import { MIGRATIONS_FOLDER, readMigrationsOf, readTextOf, type Tree } from "./tree";

export const JOURNAL = `${MIGRATIONS_FOLDER}/meta/_journal.sha256`;

interface Entry {
  name: string;
  checksum: string;
}

/**
 * Reads the journal: each migration and its checksum, in the format of `sha256sum`. With one line per
 * migration, Git merges two branches by keeping the lines of both (`.gitattributes`), in any order.
 */
function readJournal(tree: Tree): Entry[] {
  const lines = (readTextOf(tree, JOURNAL) ?? "").split("\n");
  return lines.flatMap((line) => {
    const [, checksum = "", name = ""] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    return name ? [{ name, checksum }] : [];
  });
}

interface JournalFaults {
  /** Migrations that differ from a line of theirs. */
  edited: string[];
  missing: string[];
  unrecorded: string[];
}

/** Compares the migrations with the journal. */
export function compareJournal(tree: Tree): JournalFaults {
  const entries = readJournal(tree);
  const checksumOf = new Map(readMigrationsOf(tree).map(({ name, checksum }) => [name, checksum]));
  const recorded = new Set(entries.map(({ name }) => name));
  const edited = entries.filter(
    ({ name, checksum }) => checksumOf.has(name) && checksumOf.get(name) !== checksum,
  );
  return {
    edited: [...new Set(edited.map(({ name }) => name))],
    missing: [...recorded].filter((name) => !checksumOf.has(name)),
    unrecorded: [...checksumOf.keys()].filter((name) => !recorded.has(name)),
  };
}

/** Says how a migration that was recorded and then edited or deleted is put right. */
export const BRING_BACK = `bring it back from git and write a new migration; if no database can have had it, delete its line in ${JOURNAL} instead, then npm run starter:check -- --write`;

interface Recording {
  /** The journal's new text. */
  text: string;
  /** The names of the migrations that it did not have. */
  added: string[];
}

/**
 * Records the migrations that the journal lacks, and sorts it. Throws if a recorded one was edited or
 * deleted: databases may have applied it.
 */
export function recordMigrations(tree: Tree): Recording {
  const { edited, missing, unrecorded } = compareJournal(tree);
  const refused = [...edited, ...missing];
  if (refused.length > 0)
    throw new Error(`${refused.join(", ")}: edited or gone since it was recorded: ${BRING_BACK}`);
  return { text: readMigrationsOf(tree).map(lineOf).join(""), added: unrecorded };
}

const lineOf = ({ name, checksum }: MigrationFile) => `${checksum}  ${name}\n`;
