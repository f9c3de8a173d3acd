import { sellsSubscriptions } from "~/env/payments";
import { conclude, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-checks";
import { hasTable } from "./has-table";

const JOB = "subscription-credits";
/** A day, and two hours for a job that began late or took long. */
const MOST_HOURS = 26;

/** Whether the daily job that grants monthly credits still runs. */
export function checkDailyJob({ env: { payments } }: Configuration): DatabaseCheck {
  const id = "cron.daily-job";
  return {
    id,
    async run(client) {
      if (!sellsSubscriptions(payments)) return skip(id, "no subscription is for sale");
      if (!(await hasTable(client, "job_runs"))) return skip(id, "there is no table job_runs yet");
      const { rows } = await client.query<{ hours: number | null }>(
        `SELECT extract(epoch FROM now() - max(finished_at))::float8 / 3600 AS hours
         FROM job_runs WHERE job = $1 AND ok`,
        [JOB],
      );
      const hours = rows[0]?.hours ?? null;
      const isLate = hours === null || hours > MOST_HOURS;
      const finding = warning(
        hours === null
          ? "the daily job never ended well: monthly credits are granted only as customers spend"
          : `the daily job last ended well ${Math.floor(hours)} hours ago`,
        "have a scheduler call GET /api/cron/subscription-credits each day at 00:05 UTC with the CRON_SECRET, and read its answer",
      );
      const otherwise = pass(id, `the daily job ended well ${Math.floor(hours ?? 0)} hours ago`);
      return conclude(id, isLate ? [finding] : [], otherwise);
    },
  };
}
