import { requireCaller } from "~/server/api-keys/caller.server";
import {
  beginGeneration,
  generationResponse,
  requireImageGeneration,
} from "~/server/images/generation.server";
import { limitRuns } from "~/server/metering/limit-runs.server";
import { acceptedResponse } from "~/server/metering/run-response.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readIdempotencyKey } from "~/server/request/idempotency-key.server";
import { prefersAsync } from "~/server/request/prefer.server";
import { readJson } from "~/server/request/read-body.server";
import { generationRequestSchema } from "~/services/images/generation-request";

const route = apiRoute({
  async POST({ request }) {
    requireImageGeneration();
    const { id: userId, apiKeyId } = await requireCaller(request);
    await limitRuns("image", userId);
    const idempotencyKey = readIdempotencyKey(request);
    const isAsynchronous = prefersAsync(request);
    const wanted = await readJson(request, generationRequestSchema);
    const begun = await beginGeneration({
      userId,
      apiKeyId,
      request: wanted,
      idempotencyKey,
      isAsynchronous,
    });
    if (!isAsynchronous) return generationResponse(begun, { userId });
    return acceptedResponse({ runId: begun.generationId, userId });
  },
});

export const loader = route.loader;
export const action = route.action;
