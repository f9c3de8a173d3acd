import { requireUser } from "~/server/accounts/session.server";
import {
  beginGeneration,
  generationResponse,
  limitGenerations,
  requireImageGeneration,
} from "~/server/images/generation.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readIdempotencyKey } from "~/server/request/idempotency-key.server";
import { readJson } from "~/server/request/read-body.server";
import { generationRequestSchema } from "~/services/images/generation-request";

const route = apiRoute({
  async POST({ request }) {
    requireImageGeneration();
    const { id: userId } = await requireUser(request);
    const idempotencyKey = readIdempotencyKey(request);
    const wanted = await readJson(request, generationRequestSchema);
    await limitGenerations(userId);
    const begun = await beginGeneration({
      userId,
      request: wanted,
      idempotencyKey,
      isAsynchronous: false,
    });
    return generationResponse(begun, { userId });
  },
});

export const loader = route.loader;
export const action = route.action;
