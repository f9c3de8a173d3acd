import { z } from "zod";
import { SNAPSHOT } from "../../db/generate-migration";
import { MIGRATIONS_FOLDER, readMigrationsOf, readTextOf, type Tree } from "../tree";
import { type Check, checkOf } from "./check";

const META = `${MIGRATIONS_FOLDER}/meta`;
const JOURNAL = `${META}/_journal.json`;
const SNAPSHOT_FILE = `${META}/${SNAPSHOT}`;

const journalSchema = z.object({
  entries: z.array(z.object({ idx: z.number().int(), name: z.string(), time: z.string() })),
});

/**
 * Checks that each journal entry has its file and that the snapshot exists: a bad merge breaks one of
 * the two. A hand-written migration has no entry. Warns if the schema differs from the snapshot.
 */
export function checkJournal(tree: Tree): Check {
  const entries = readEntries(tree);
  if (entries === null) {
    return checkOf("journal", [`${JOURNAL} is missing or damaged: bring it back from git`], "");
  }
  const files = new Set(readMigrationsOf(tree).map(({ name }) => name));
  const snapshot = readTextOf(tree, SNAPSHOT_FILE);
  const faults = [
    ...entries.flatMap(({ idx, name }) => [
      ...(name.startsWith(`${number(idx)}_`) ? [] : [`${JOURNAL}: ${name} is not number ${idx}`]),
      ...(files.has(`${name}.sql`) ? [] : [`${JOURNAL} names ${name}.sql, which is not there`]),
    ]),
    ...(snapshot === null ? [`${SNAPSHOT_FILE} is not there: bring it back from git`] : []),
    ...(entries.every(({ idx }, at) => at === 0 || idx > (entries[at - 1]?.idx ?? 0))
      ? []
      : [`${JOURNAL}: its numbers do not rise`]),
  ];
  if (snapshot === null || faults.length > 0) return checkOf("journal", faults, "");
  if (bare(readTextOf(tree, "prisma/schema.prisma") ?? "") !== bare(snapshot)) {
    const line = `prisma/schema.prisma differs from the snapshot: npm run db:generate -- <name>, which writes nothing if the database would not change`;
    return { id: "journal", status: "warn", lines: [line] };
  }
  return checkOf("journal", [], `${entries.length} entries, each with its file, and the snapshot`);
}

function readEntries(tree: Tree) {
  try {
    return journalSchema.parse(JSON.parse(readTextOf(tree, JOURNAL) ?? "")).entries;
  } catch {
    return null;
  }
}

const number = (idx: number) => String(idx).padStart(4, "0");

/** Removes comments and blank lines. */
function bare(schema: string): string {
  return schema
    .split("\n")
    .map((line) => line.replace(/\s*\/\/.*$/, "").trim())
    .filter(Boolean)
    .join("\n");
}
