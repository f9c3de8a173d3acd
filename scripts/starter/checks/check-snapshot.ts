import { SNAPSHOT } from "../../db/generate-migration";
import { MIGRATIONS_FOLDER, readTextOf, SCHEMA, type Tree } from "../tree";
import { type Check, checkOf } from "./check";

export const SNAPSHOT_FILE = `${MIGRATIONS_FOLDER}/meta/${SNAPSHOT}`;

/** Checks that the schema's snapshot is there. Warns if the schema went on without a migration. */
export function checkSnapshot(tree: Tree): Check {
  const snapshot = readTextOf(tree, SNAPSHOT_FILE);
  if (snapshot === null)
    return checkOf("snapshot", [`${SNAPSHOT_FILE} is not there: bring it back from git`], "");
  if (bare(readTextOf(tree, SCHEMA) ?? "") !== bare(snapshot)) {
    const line = `${SCHEMA} differs from the snapshot: npm run db:generate -- <name>, which writes nothing if the database would not change; after a git merge see docs/migrations.md#two-branches`;
    return { id: "snapshot", status: "warn", lines: [line] };
  }
  return checkOf("snapshot", [], `${SCHEMA} is what the migrations lead to`);
}

/** Removes comments and blank lines. */
function bare(schema: string): string {
  return schema
    .split("\n")
    .map((line) => line.replace(/\s*\/\/.*$/, "").trim())
    .filter(Boolean)
    .join("\n");
}
