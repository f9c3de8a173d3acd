import { found, pass, skip, warning } from "./check";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** A worker takes a job in seconds, a busy one in a few minutes. */
const LATE_MINUTES = 15;

interface Late {
  name: string;
  count: number;
}

/** Whether jobs wait that no worker takes, because WORKER is off or the one elsewhere doesn't run. */
export function checkBackgroundWork(): DatabaseCheck {
  const id = "cron.waiting-jobs";
  return {
    id,
    async run(client) {
      if (!(await hasTable(client, "pgboss.job"))) return skip(id, "there is no table of jobs yet");
      const { rows } = await client.query<Late>(
        `SELECT name, count(*)::int AS count FROM pgboss.job
         WHERE state < 'active' AND start_after < now() - make_interval(mins => $1)
         GROUP BY name ORDER BY name`,
        [LATE_MINUTES],
      );
      if (rows.length === 0) return pass(id, `no job has waited for ${LATE_MINUTES} minutes`);
      return found(
        id,
        rows.map(({ name, count }) =>
          warning(
            `${count} jobs of kind ${name} have waited for more than ${LATE_MINUTES} minutes`,
            "run `npm run worker` with the servers' environment, or unset WORKER on a server; npm run jobs -- list shows them",
          ),
        ),
      );
    },
  };
}
