import { estimateRequest } from "~/models/actions/estimate-request.server";
import { actionsOn } from "~/models/actions/registry.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { type EstimateResponse, estimateBodySchema } from "~/server/openapi/estimate-responses";
import { apiRoute } from "~/server/request/api-route.server";
import { invalidInput, readJson } from "~/server/request/read-body.server";
import { AppError } from "~/utils/app-error";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId, apiKeyId } = await requireCaller(request);
    await enforceRateLimit(limitRule("estimate-user", userId));
    const { action: wanted, input } = await readJson(request, estimateBodySchema);
    const action = actionsOn().find((key) => key === wanted);
    if (!action)
      throw new AppError({
        code: "unknown_action",
        publicMessage: `There is no such action. Use one of: ${actionsOn().join(", ")}.`,
      });
    const estimated = await estimateRequest({ userId, apiKeyId, action, input });
    if (estimated.status === "invalid") throw invalidInput(estimated.error);
    const { units, credits, balance, allowed, reason } = estimated;
    const response: EstimateResponse = { action, units, credits, balance, allowed, reason };
    return response;
  },
});

export const loader = route.loader;
export const action = route.action;
