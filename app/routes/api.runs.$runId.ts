import { growingAction } from "~/models/actions/registry.server";
import { accountOf, getRun } from "~/models/metering/runs.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { followed } from "~/server/metering/growing-run.server";
import { runResponse } from "~/server/metering/run-response.server";
import { apiRoute } from "~/server/request/api-route.server";
import { acceptsEvents } from "~/server/request/event-stream.server";
import { AppError } from "~/utils/app-error";

const route = apiRoute({
  async GET({ request, params, context }) {
    const user = await requireCaller(request);
    await enforceRateLimit(limitRule("run-user", user.id));
    const run = await getRun({ runId: params.runId ?? "", accountId: accountOf(user) });
    if (!run)
      throw new AppError({
        code: "run_not_found",
        publicMessage: "We couldn't find that run among those of your account.",
      });
    const growing = growingAction(run.action);
    return growing && acceptsEvents(request)
      ? followed(context.whenLeft(), growing, run)
      : runResponse(run);
  },
});

export const loader = route.loader;
export const action = route.action;
