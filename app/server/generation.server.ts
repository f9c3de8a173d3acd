import { getEnv } from "~/env.server";
import type { GenerateResult, ImageServices } from "~/models/images/generate-images.server";
import type { Generation } from "~/models/images/generations.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";
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
    status: 404,
    publicMessage: "Image generation is not offered on this server.",
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

const REFUSALS: Record<
  Exclude<Refusal["status"], "insufficient">,
  { status: number; publicMessage: string }
> = {
  prompt_rejected: {
    status: 400,
    publicMessage: "The prompt is against the content rules. You were not charged; change it.",
  },
  generation_unavailable: {
    status: 500,
    publicMessage: "Images cannot be made right now. You were not charged. Try again later.",
  },
  idempotency_mismatch: {
    status: 422,
    publicMessage: "This Idempotency-Key belongs to another request. Use a new one.",
  },
  idempotency_in_progress: {
    status: 409,
    publicMessage: "The request with this Idempotency-Key is still running. Ask again shortly.",
  },
};

/** Maps a refusal (nothing charged yet) to the API error. */
function refusalError(refusal: Refusal): AppError {
  if (refusal.status !== "insufficient") {
    return new AppError({ code: refusal.status, ...REFUSALS[refusal.status] });
  }
  const { required, balance } = refusal;
  return new AppError({
    code: "insufficient_credits",
    status: 402,
    publicMessage: `This costs ${required} credits and you have ${balance}. You were not charged.`,
    extra: { required, balance },
  });
}

/** Maps a refunded generation to the API error. */
function refundedError({ error }: Generation): AppError {
  if (error === "prompt_rejected") {
    return new AppError({
      code: error,
      status: 400,
      publicMessage:
        "The prompt is against the provider's content rules. You were refunded in full.",
    });
  }
  return new AppError({
    code: "generation_failed",
    status: 500,
    publicMessage: "No image could be made. You were refunded in full. Try again in a moment.",
  });
}

/** Returns the body of a success; throws an AppError for any other result. */
export function generationAnswer(result: GenerateResult) {
  if (result.status !== "settled") throw refusalError(result);
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
