import { listInvalidIndexes } from "../db/invalid-indexes";
import { compareMigrations } from "../db/migration-status";
import { readMigrations } from "../db/migrations-folder";
import { listRecorded } from "../db/tracker-table";
import { conclude, type Finding, fault, pass } from "./check";
import type { DatabaseCheck } from "./database-check";

/** Whether the database has the folder's migrations. */
export function checkMigrations(folder: string): DatabaseCheck {
  const id = "database.migrations";
  return {
    id,
    async run(client) {
      const files = await readMigrations(folder);
      const status = compareMigrations(files, await listRecorded(client));
      const findings: Finding[] = [];
      const add = (items: { name: string }[], what: string, action: string) => {
        const names = items.map(({ name }) => name).join(", ");
        if (items.length > 0) findings.push(fault(`${what}: ${names}`, action));
      };
      add(status.pending, "pending", "run `npm run db:migrate` before the new code serves");
      add(
        status.changed,
        "edited after it was applied",
        "bring the file back from version control, and put the change into a new migration",
      );
      add(
        status.missing,
        "applied, and not in the folder",
        "deploy the branch that has the file; another one was applied here",
      );
      for (const { name, qualified } of await listInvalidIndexes(client))
        findings.push(
          fault(
            `index ${name} is invalid, so no query uses it`,
            `run DROP INDEX CONCURRENTLY ${qualified}; and then \`npm run db:migrate\` again`,
          ),
        );
      const otherwise = pass(id, `${status.applied.length} applied, none pending`);
      return conclude(id, findings, otherwise);
    },
  };
}
