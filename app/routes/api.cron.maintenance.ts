import { recordRun } from "~/models/upkeep/job-runs.server";
import { runMaintenance } from "~/models/upkeep/maintenance.server";
import { requireCronSecret } from "~/server/background/cron-auth.server";
import { apiRoute } from "~/server/request/api-route.server";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { AppError } from "~/utils/app-error";

const route = apiRoute({
  async GET({ request }) {
    requireCronSecret(request);
    const { counts, failed } = await recordRun("maintenance", () =>
      runMaintenance({ store: getObjectStore() }),
    );
    if (failed.length === 0) return counts;
    throw new AppError({
      code: "maintenance_failed",
      publicMessage: `These tasks failed: ${failed.join(", ")}. The others ran. The log says why.`,
      extra: { ...counts },
    });
  },
});

export const loader = route.loader;
export const action = route.action;
