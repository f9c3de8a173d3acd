import { z } from "zod";
import { MIGRATIONS_FOLDER, readMigrationsOf, readTextOf, type Tree } from "../tree";
import { type Check, checkOf } from "./check";

const META = `${MIGRATIONS_FOLDER}/meta`;
const JOURNAL = `${META}/_journal.json`;
const SNAPSHOT = /^(\d{4})_snapshot\.prisma$/;

const journalSchema = z.object({
  entries: z.array(z.object({ idx: z.number().int(), name: z.string(), time: z.string() })),
});

/**
 * That journal, snapshots and files belong together. A migration written by hand has neither entry nor
 * snapshot; an entry without its file or snapshot, or a snapshot without its entry, is what a bad
 * merge leaves.
 */
export function checkJournal(tree: Tree): Check {
  const entries = readEntries(tree);
  if (entries === null) {
    return checkOf("journal", [`${JOURNAL} is missing or damaged: bring it back from git`], "");
  }
  const files = new Set(readMigrationsOf(tree).map(({ name }) => name));
  const snapshots = listSnapshots(tree);
  const numbers = entries.map(({ idx }) => idx);
  const faults = [
    ...entries.flatMap(({ idx, name }) => [
      ...(name.startsWith(`${number(idx)}_`) ? [] : [`${JOURNAL}: ${name} is not number ${idx}`]),
      ...(files.has(`${name}.sql`) ? [] : [`${JOURNAL} names ${name}.sql, which is not there`]),
      ...(snapshots.includes(idx) ? [] : [`${META}/${number(idx)}_snapshot.prisma is not there`]),
    ]),
    ...snapshots
      .filter((idx) => !numbers.includes(idx))
      .map((idx) => `${META}/${number(idx)}_snapshot.prisma has no entry in the journal`),
    ...(numbers.every((idx, at) => at === 0 || idx > (numbers[at - 1] ?? 0))
      ? []
      : [`${JOURNAL}: its numbers do not rise`]),
  ];
  if (faults.length > 0) return checkOf("journal", faults, "");
  const newest = snapshots.at(-1);
  if (newest !== undefined && !isSchemaOf(tree, newest)) {
    const line = `prisma/schema.prisma is not its newest snapshot: npm run db:generate -- <name>, which writes nothing if the database would not change`;
    return { id: "journal", status: "warn", lines: [line] };
  }
  return checkOf("journal", [], `${entries.length} entries, each with its file and snapshot`);
}

function readEntries(tree: Tree) {
  try {
    return journalSchema.parse(JSON.parse(readTextOf(tree, JOURNAL) ?? "")).entries;
  } catch {
    return null;
  }
}

const number = (idx: number) => String(idx).padStart(4, "0");

function listSnapshots(tree: Tree): number[] {
  return tree.list().flatMap((file) => {
    const match = file.startsWith(`${META}/`) ? SNAPSHOT.exec(file.slice(META.length + 1)) : null;
    return match ? [Number(match[1])] : [];
  });
}

/** Comments and blank lines aside. */
function isSchemaOf(tree: Tree, idx: number): boolean {
  const bare = (file: string) =>
    (readTextOf(tree, file) ?? "")
      .split("\n")
      .map((line) => line.replace(/\s*\/\/.*$/, "").trim())
      .filter(Boolean)
      .join("\n");
  return bare("prisma/schema.prisma") === bare(`${META}/${number(idx)}_snapshot.prisma`);
}
