import { BRING_BACK, compareJournal, JOURNAL } from "../journal";
import { MIGRATIONS_FOLDER, readMigrationsOf, type Tree } from "../tree";
import { type Check, checkOf } from "./check";

/** Checks that each migration is in the journal as it is: databases have applied it. */
export function checkMigrations(tree: Tree): Check {
  const { edited, missing, unrecorded } = compareJournal(tree);
  return checkOf(
    "migrations",
    [
      ...edited.map(
        (name) => `${MIGRATIONS_FOLDER}/${name} is not what was recorded: ${BRING_BACK}`,
      ),
      ...missing.map((name) => `${MIGRATIONS_FOLDER}/${name} is gone: ${BRING_BACK}`),
      ...unrecorded.map(
        (name) =>
          `${MIGRATIONS_FOLDER}/${name} is not in ${JOURNAL}: npm run starter:check -- --write records it; commit both together`,
      ),
    ],
    `${readMigrationsOf(tree).length} files, each in the journal and unedited`,
  );
}
