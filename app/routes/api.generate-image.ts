import { generateImages } from "~/models/images/generate-images.server";
import { requireUser } from "~/server/accounts/session.server";
import { thumbnailWorkers } from "~/server/background/thumbnail-workers.server";
import {
  generationResponse,
  imageServices,
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
    const generation = await readJson(request, generationRequestSchema);
    await limitGenerations(userId);

    const result = await generateImages(
      { userId, request: generation, idempotencyKey },
      imageServices(),
    );
    thumbnailWorkers.wake();
    return generationResponse(result);
  },
});

export const loader = route.loader;
export const action = route.action;
