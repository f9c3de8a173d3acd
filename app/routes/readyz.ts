import { listPendingMigrations } from "~/models/migrations-applied.server";
import { apiRoute } from "~/server/api-route.server";
import { log } from "~/utils/logger.server";

/** Whether this process can serve: the database answers and has every migration. */
const route = apiRoute({
  async GET() {
    try {
      const pendingMigrations = await listPendingMigrations();
      const ready = pendingMigrations.length === 0;
      return Response.json(
        { status: ready ? "ready" : "not_ready", database: "ok", pendingMigrations },
        { status: ready ? 200 : 503 },
      );
    } catch (error) {
      log().error({ err: error }, "not ready");
      return Response.json({ status: "not_ready", database: "unreachable" }, { status: 503 });
    }
  },
});

export const loader = route.loader;
export const action = route.action;
