import { getEnv } from "~/env.server";
import {
  type GenerateImages,
  type GenerationRefusal,
  startGeneration,
} from "~/models/images/generate-images.server";
import { getGeneration } from "~/models/images/generations.server";
import { withAddresses } from "~/models/images/image-urls.server";
import { areRunsStopping } from "~/models/metering/running.server";
import { accountOf } from "~/models/metering/runs.server";
import { makeThumbnailsAfter } from "~/server/images/thumbnails-after.server";
import { runRefunded, runRefused } from "~/server/metering/run-refused.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import { getPromptCheck } from "~/services/images/prompt-check.server";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { AppError } from "~/utils/app-error";

/** @throws AppError 404 not_found while image generation is off */
export function requireImageGeneration(): void {
  if (getEnv().images.enabled) return;
  throw new AppError({
    code: "not_found",
    publicMessage: "Image generation is off on this server.",
  });
}

/** @throws Response 404 while image generation is off */
export function requirePageImageGeneration(): void {
  if (!getEnv().images.enabled) throw new Response(null, { status: 404 });
}

/** A run that has begun or ended. */
export interface BegunGeneration {
  generationId: string;
  /** Resolves once the run has ended, or once this process has left it to another. */
  ended: Promise<unknown>;
}

/**
 * Begins to make images with the configured services, or finds what an earlier request with the same key
 * began. It goes on whether or not anybody waits for it. A repeated request is refused while the first is in
 * progress, unless it doesn't wait for the end.
 * @throws AppError if it was refused and nothing was charged
 */
export async function beginGeneration(input: GenerateImages): Promise<BegunGeneration> {
  const services = {
    router: getImageRouter(),
    checkPrompt: getPromptCheck(),
    store: getObjectStore(),
  };
  const result = await startGeneration(input, services);
  if (result.status === "ended") return { generationId: result.run.id, ended: Promise.resolve() };
  if (input.isAsynchronous && result.status === "idempotency_in_progress")
    return { generationId: result.runId, ended: Promise.resolve() };
  if (result.status !== "started") throw generationRefused(result);
  const { runId: generationId, ended } = result;
  makeThumbnailsAfter(ended, input);
  return { generationId, ended };
}

/** Maps a refusal (nothing charged yet) to its error. */
function generationRefused(refusal: GenerationRefusal): AppError {
  switch (refusal.status) {
    case "prompt_rejected":
      return new AppError({
        code: refusal.status,
        publicMessage:
          "The prompt breaks the content rules. You weren't charged. Change it and try again.",
      });
    case "generation_unavailable":
      return new AppError({
        code: refusal.status,
        publicMessage: "We can't generate images right now. You weren't charged. Try again later.",
      });
    default:
      return runRefused(refusal, "ask for fewer images");
  }
}

/** Says that the run goes on elsewhere, since this process stops. */
const stoppingError = (runId: string): AppError =>
  new AppError({
    code: "server_stopping",
    publicMessage:
      "The server is being restarted. Your images are still being made. Get them from /api/runs/{runId}, or send the request again with the same Idempotency-Key; you pay once.",
    extra: { runId },
    headers: { "Retry-After": "5" },
  });

/** Says that the run goes on elsewhere or later, since this process lost its database, or stood still. */
const delayedError = (runId: string): AppError =>
  new AppError({
    code: "run_delayed",
    publicMessage:
      "A fault on our side makes your images take longer. They are still being made. Get them from /api/runs/{runId}, or send the request again with the same Idempotency-Key; you pay once.",
    extra: { runId },
    headers: { "Retry-After": "10" },
  });

/**
 * Waits for a run and returns the response's body.
 * @throws AppError if it was refunded, or goes on without this process
 */
export async function generationResponse(
  { generationId, ended }: BegunGeneration,
  { userId }: { userId: string },
) {
  await ended;
  const generation = await getGeneration({ generationId, accountId: accountOf({ id: userId }) });
  if (!generation) throw new Error(`image_generations: ${generationId} is gone`);
  if (generation.status === "reserved")
    throw areRunsStopping() ? stoppingError(generationId) : delayedError(generationId);
  if (generation.status === "refunded") throw runRefunded(generation.error);
  return {
    generationId,
    provider: generation.provider,
    images: await withAddresses(generation.images, { userId, store: getObjectStore() }),
    creditsCharged: generation.creditsCharged,
    balance: generation.balanceAfter,
  };
}
