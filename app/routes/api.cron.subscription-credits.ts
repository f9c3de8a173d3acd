import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { recordRun } from "~/models/upkeep/job-runs.server";
import { requireCronSecret } from "~/server/background/cron-auth.server";
import { apiRoute } from "~/server/request/api-route.server";
import { AppError } from "~/utils/app-error";

const route = apiRoute({
  async GET({ request }) {
    requireCronSecret(request);
    const { counts, failed } = await recordRun("subscription-credits", async () => {
      const { failed, ...counts } = await runDueGrants();
      return { counts, failed };
    });
    if (failed.length === 0) return counts;
    throw new AppError({
      code: "grants_failed",
      publicMessage: `${failed.length} subscriptions didn't get their credits; the others did. The log says which and why.`,
      extra: counts,
    });
  },
});

export const loader = route.loader;
export const action = route.action;
