import { getMaintenanceHealth } from "~/models/upkeep/job-runs.server";
import { withDatabase } from "../lib/with-database";
import { conclude, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** Whether maintenance runs and its tasks succeed, by the same rule as /readyz. */
export function checkMaintenance({ env: { databaseUrl } }: Configuration): DatabaseCheck {
  const id = "cron.maintenance";
  return {
    id,
    async run(client) {
      // Came with the column of failed tasks.
      if (!databaseUrl || !(await hasTable(client, "server_processes")))
        return skip(id, "migrations are pending: see database.migrations");
      const health = await withDatabase(getMaintenanceHealth, databaseUrl);
      const { lastSuccessAt, lastRunAt, overdue, failedTasks } = health;
      const last = lastSuccessAt
        ? `last succeeded at ${lastSuccessAt.toISOString()}`
        : "never succeeded";
      const findings = [
        ...(overdue
          ? [
              warning(
                `maintenance ${last}: nothing is refunded, retried or removed`,
                "run `npm run cron` beside the server, or have a scheduler call GET /api/cron/maintenance every five minutes with the CRON_SECRET",
              ),
            ]
          : []),
        ...(failedTasks.length > 0
          ? [
              warning(
                `in the last run of maintenance these tasks failed: ${failedTasks.join(", ")}`,
                "the log says why; docs/incidents/scheduler-stopped.md",
              ),
            ]
          : []),
      ];
      const otherwise = lastRunAt
        ? pass(id, `maintenance ${last}`)
        : skip(id, "the database is new, and maintenance has not run yet");
      return conclude(id, findings, otherwise);
    },
  };
}
