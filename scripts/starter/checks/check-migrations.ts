import { CHECKSUMS_FILE, compareChecksums, readChecksums } from "../migration-checksums";
import { MIGRATIONS_FOLDER, readMigrationsOf, type Tree } from "../tree";
import { type Check, checkOf } from "./check";

/** Checks that committed migrations are unchanged: databases have applied them. */
export function checkMigrations(tree: Tree): Check {
  const files = readMigrationsOf(tree);
  const { edited, missing, unrecorded } = compareChecksums(files, readChecksums(tree));
  const WRITE = "npm run starter:check -- --write";
  const because = `not what ${CHECKSUMS_FILE} says: if a database may have had it, bring it back from git and write a new migration, else ${WRITE}`;
  return checkOf(
    "migrations",
    [
      ...edited.map((name) => `${MIGRATIONS_FOLDER}/${name} was edited, and is ${because}`),
      ...missing.map((name) => `${MIGRATIONS_FOLDER}/${name} is gone, and that is ${because}`),
      ...unrecorded.map(
        (name) => `${MIGRATIONS_FOLDER}/${name} is new: ${WRITE} records it; commit both together`,
      ),
    ],
    `${files.length} files, unedited`,
  );
}
