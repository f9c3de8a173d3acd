import { generateImages } from "~/models/images/generate-images.server";
import { apiRoute } from "~/server/api-route.server";
import {
  generationAnswer,
  imageServices,
  limitGenerations,
  requireImageGeneration,
} from "~/server/generation.server";
import { readIdempotencyKey } from "~/server/idempotency-key.server";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import { thumbnailWorkers } from "~/server/thumbnail-workers.server";
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
    return generationAnswer(result);
  },
});

export const loader = route.loader;
export const action = route.action;
