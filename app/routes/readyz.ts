import { listPendingMigrations } from "~/models/migrations-applied.server";
import { getGrantsJobHealth } from "~/models/upkeep/job-runs.server";
import { apiRoute } from "~/server/api-route.server";
import { log } from "~/utils/logger.server";

/** Whether this process can serve: the database answers and has every migration. */
const route = apiRoute({
  async GET() {
    try {
      const pendingMigrations = await listPendingMigrations();
      const ready = pendingMigrations.length === 0;
      if (!ready) {
        const body = { status: "not_ready", database: "ok", pendingMigrations };
        return Response.json(body, { status: 503 });
      }
      const dailyGrants = await getGrantsJobHealth();
      // A warning and no refusal: the process serves, and taking it away would not run the job.
      if (dailyGrants.overdue)
        log().warn(dailyGrants, "the daily grants have not run for 26 hours");
      return Response.json({ status: "ready", database: "ok", pendingMigrations, dailyGrants });
    } catch (error) {
      log().error({ err: error }, "not ready");
      return Response.json({ status: "not_ready", database: "unreachable" }, { status: 503 });
    }
  },
});

export const loader = route.loader;
export const action = route.action;
