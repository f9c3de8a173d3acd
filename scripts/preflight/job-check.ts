import { getGrantsJobHealth } from "~/models/upkeep/job-runs.server";
import { withDatabase } from "../lib/with-database";
import { found, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** Whether the daily job that grants monthly credits still runs, by the same rule as /readyz. */
export function checkDailyJob({ env: { databaseUrl } }: Configuration): DatabaseCheck {
  const id = "cron.daily-job";
  return {
    id,
    async run(client) {
      if (!databaseUrl || !(await hasTable(client, "job_runs")))
        return skip(id, "there is no table job_runs yet");
      const { lastSuccessAt, overdue } = await withDatabase(getGrantsJobHealth, databaseUrl);
      if (overdue)
        return found(id, [
          warning(
            lastSuccessAt
              ? `the daily job last succeeded at ${lastSuccessAt.toISOString()}, over 26 hours ago`
              : "there are subscriptions, and the daily job has never succeeded",
            "have a scheduler call GET /api/cron/subscription-credits each day at 00:05 UTC with the CRON_SECRET, and check its response",
          ),
        ]);
      return lastSuccessAt
        ? pass(id, `the daily job last succeeded at ${lastSuccessAt.toISOString()}`)
        : skip(id, "no subscription is a day old yet");
    },
  };
}
