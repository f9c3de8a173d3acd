import { randomUUID } from "node:crypto";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { issueGrantsOf } from "~/models/billing/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import {
  type ChargeResult,
  chargeGeneration,
  settleRefunded,
  settleSucceeded,
} from "~/models/images/charges.server";
import { saveImages } from "~/models/images/generated-files.server";
import {
  findEarlier,
  type Generation,
  type GenerationFault,
  getGeneration,
} from "~/models/images/generations.server";
import { costOf, type GenerationRequest } from "~/services/images/generation-request";
import type { ImageRouter } from "~/services/images/image-router.server";
import type { CheckPrompt } from "~/services/images/prompt-check.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { log } from "~/utils/logger.server";

interface GenerateImages {
  userId: string;
  request: GenerationRequest;
  idempotencyKey: string | null;
}

/** The outside world that generating needs; what is null is not configured. */
export interface ImageServices {
  router: ImageRouter | null;
  checkPrompt: CheckPrompt | null;
  store: ObjectStore | null;
}

export type GenerateResult =
  /** Settled, now or by an earlier request under the same key: succeeded, or refunded and why. */
  | { status: "settled"; generation: Generation }
  | { status: "insufficient"; required: number; balance: number }
  /** These were refused before anything was charged. */
  | { status: "prompt_rejected" }
  | { status: "generation_unavailable" }
  | { status: "idempotency_mismatch" }
  | { status: "idempotency_in_progress" };

/**
 * Charge, call, settle: the credits are taken before a provider is asked, and what fails gives them
 * back, each in one transaction with the generation's own row. A process that dies in between leaves
 * a row whose lease runs out, and maintenance refunds it.
 */
export async function generateImages(
  input: GenerateImages,
  services: ImageServices,
  db: DatabaseOrTransaction = getDb(),
): Promise<GenerateResult> {
  const earlier = await answerEarlier(input, db);
  if (earlier) return earlier;
  const { router, checkPrompt } = services;
  if (!router) return { status: "generation_unavailable" };
  if (checkPrompt) {
    const refusal = await refuseUnchecked(input, checkPrompt, db);
    if (refusal) return refusal;
  }

  const charge = await chargeWithDueGrants(input, db);
  // Two requests with one key at once: the other one is being served.
  if (charge.status === "key_taken") return { status: "idempotency_in_progress" };
  if (charge.status === "insufficient") return charge;
  const { generationId } = charge;
  const generation =
    (await callAndSettle({ ...input, generationId }, { ...services, router }, db)) ??
    (await getGeneration({ generationId, userId: input.userId }, db));
  if (!generation) throw new Error(`image_generations: ${generationId} is gone`);
  return { status: "settled", generation };
}

/** What the idempotency key already led to; null where the request is a new one. */
async function answerEarlier(
  { userId, request, idempotencyKey }: GenerateImages,
  db: DatabaseOrTransaction,
): Promise<GenerateResult | null> {
  if (!idempotencyKey) return null;
  const earlier = await findEarlier({ userId, request, idempotencyKey }, db);
  switch (earlier.status) {
    case "none":
      return null;
    case "mismatch":
      return { status: "idempotency_mismatch" };
    case "in_progress":
      return { status: "idempotency_in_progress" };
    case "settled":
      return earlier;
    case "abandoned": {
      const { generationId } = earlier;
      await settleRefunded({ generationId, error: "generation_failed" }, db);
      const generation = await getGeneration({ generationId, userId }, db);
      return generation && { status: "settled", generation };
    }
  }
}

/** What is due to the user is issued before they are told that they cannot pay. */
async function chargeWithDueGrants(
  input: GenerateImages,
  db: DatabaseOrTransaction,
): Promise<ChargeResult> {
  const charge = await chargeGeneration(input, db);
  if (charge.status !== "insufficient") return charge;
  // Also where nothing was left to issue: somebody may have been faster while this waited.
  await issueGrantsOf(input.userId, db);
  return chargeGeneration(input, db);
}

/** Whoever cannot pay is told so first: the check costs its operator something, too. */
async function refuseUnchecked(
  { userId, request }: GenerateImages,
  checkPrompt: CheckPrompt,
  db: DatabaseOrTransaction,
): Promise<GenerateResult | null> {
  const required = costOf(request);
  let balance = await getBalance(userId, db);
  if (balance < required) {
    await issueGrantsOf(userId, db);
    balance = await getBalance(userId, db);
  }
  if (balance < required) return { status: "insufficient", required, balance };
  const verdict = await checkPrompt({ prompt: request.prompt, externalId: randomUUID() });
  return verdict === "rejected" ? { status: "prompt_rejected" } : null;
}

/** Null if somebody else settled it: maintenance, after the lease. */
async function callAndSettle(
  { userId, request, generationId }: GenerateImages & { generationId: string },
  { router, store }: ImageServices & { router: ImageRouter },
  db: DatabaseOrTransaction,
): Promise<Generation | null> {
  const refund = (error: GenerationFault) => settleRefunded({ generationId, error }, db);
  try {
    const outcome = await router.generate(request);
    if (outcome.status !== "generated") {
      return refund(outcome.status === "refused" ? "prompt_rejected" : "generation_failed");
    }
    const { provider } = outcome;
    const { apiBase } = getEnv().images.providers[provider];
    const images = await saveImages({ userId, images: outcome.images, apiBase, store }, db);
    return await settleSucceeded({ generationId, provider, images }, db);
  } catch (error) {
    // A defect or a lost database. If the refund fails too, the lease runs out and maintenance does it.
    log().error({ err: error, generationId }, "generation failed unexpectedly");
    return refund("generation_failed");
  }
}
