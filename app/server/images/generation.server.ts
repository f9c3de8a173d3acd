import { getEnv } from "~/env.server";
import type { GenerateResult, ImageServices } from "~/models/images/generate-images.server";
import type { Generation } from "~/models/images/generations.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { idempotencyRefused } from "~/server/request/idempotency-key.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import { getPromptCheck } from "~/services/images/prompt-check.server";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { AppError } from "~/utils/app-error";

/** Returns the configured services that image generation needs. */
export function imageServices(): ImageServices {
  return { router: getImageRouter(), checkPrompt: getPromptCheck(), store: getObjectStore() };
}

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

/** @throws AppError 429 rate_limited beyond 60 requests a minute */
export function limitGenerations(userId: string): Promise<void> {
  return enforceRateLimit(limitRule("generate-user", userId));
}

type Refusal = Exclude<GenerateResult, { status: "settled" }>;

/** Maps a refusal (nothing charged yet) to its error. */
export function generationRefused(refusal: Refusal): AppError {
  const { status } = refusal;
  switch (status) {
    case "insufficient": {
      const { required, balance } = refusal;
      return new AppError({
        code: "insufficient_credits",
        publicMessage: `This costs ${required} credits and you have ${balance}. You weren't charged. Buy more credits, or ask for fewer images.`,
        extra: { required, balance },
      });
    }
    case "prompt_rejected":
      return new AppError({
        code: status,
        publicMessage:
          "The prompt breaks the content rules. You weren't charged. Change it and try again.",
      });
    case "generation_unavailable":
      return new AppError({
        code: status,
        publicMessage: "We can't generate images right now. You weren't charged. Try again later.",
      });
    case "idempotency_mismatch":
    case "idempotency_in_progress":
      return idempotencyRefused(status);
  }
}

/** Maps a refunded generation to its error. */
function refundedError({ error }: Generation): AppError {
  if (error === "prompt_rejected") {
    return new AppError({
      code: error,
      publicMessage:
        "The prompt breaks the image provider's content rules. We refunded you in full. Change it and try again.",
    });
  }
  return new AppError({
    code: "generation_failed",
    publicMessage:
      "We couldn't generate any images. We refunded you in full. Try again in a moment.",
  });
}

/** Returns the body of a success; throws an AppError for any other result. */
export function generationResponse(result: GenerateResult) {
  if (result.status !== "settled") throw generationRefused(result);
  const { generation } = result;
  if (generation.status !== "succeeded") throw refundedError(generation);
  return {
    generationId: generation.id,
    provider: generation.provider,
    images: generation.images.map(({ url, persisted }) => ({ url, persisted })),
    creditsCharged: generation.creditsCharged,
    balance: generation.balanceAfter,
  };
}
