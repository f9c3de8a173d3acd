import { randomUUID } from "node:crypto";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
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

/** External services that generation needs; null if not configured. */
export interface ImageServices {
  router: ImageRouter | null;
  checkPrompt: CheckPrompt | null;
  store: ObjectStore | null;
}

export type GenerateResult =
  /** Settled, now or by an earlier request with the same key: succeeded, or refunded with a reason. */
  | { status: "settled"; generation: Generation }
  | { status: "insufficient"; required: number; balance: number }
  /** The following were refused before anything was charged. */
  | { status: "prompt_rejected" }
  | { status: "generation_unavailable" }
  | { status: "idempotency_mismatch" }
  | { status: "idempotency_in_progress" };

/** A charged generation whose provider is being asked. */
interface StartedGeneration {
  status: "started";
  generationId: string;
  /** Resolves once the generation is settled. */
  settled: Promise<Generation>;
}

/** Generates images and waits for them. `startGeneration` says in which steps. */
export async function generateImages(
  input: GenerateImages,
  services: ImageServices,
  db: DatabaseOrTransaction = getDb(),
): Promise<GenerateResult> {
  const started = await startGeneration(input, services, db);
  if (started.status !== "started") return started;
  return { status: "settled", generation: await started.settled };
}

/**
 * Charge, call, settle: takes the credits before a provider is asked, and refunds them on failure. Each
 * change to the credits shares a transaction with the generation's row. If the process dies in between,
 * the row's lease runs out and maintenance refunds it. Returns once the credits are taken: the rest goes
 * on whether or not anybody waits for it.
 */
export async function startGeneration(
  input: GenerateImages,
  services: ImageServices,
  db: DatabaseOrTransaction = getDb(),
): Promise<GenerateResult | StartedGeneration> {
  const earlier = await responseEarlier(input, db);
  if (earlier) return earlier;
  const { router, checkPrompt } = services;
  if (!router) return { status: "generation_unavailable" };
  if (checkPrompt) {
    const refusal = await refuseUnchecked(input, checkPrompt, db);
    if (refusal) return refusal;
  }

  const charge = await chargeWithDueGrants(input, db);
  // Two concurrent requests used one key: the other one is being served.
  if (charge.status === "key_taken") return { status: "idempotency_in_progress" };
  if (charge.status === "insufficient") return charge;
  const { generationId } = charge;
  const charged = { ...input, generationId };
  return {
    status: "started",
    generationId,
    settled: finish(charged, { ...services, router }, db),
  };
}

async function finish(
  charged: GenerateImages & { generationId: string },
  services: ImageServices & { router: ImageRouter },
  db: DatabaseOrTransaction,
): Promise<Generation> {
  const { generationId, userId } = charged;
  const generation =
    (await callAndSettle(charged, services, db)) ??
    (await getGeneration({ generationId, userId }, db));
  if (!generation) throw new Error(`image_generations: ${generationId} is gone`);
  return generation;
}

/** The outcome of an earlier request with this idempotency key; null for a new request. */
async function responseEarlier(
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

/** Issues overdue grants before reporting insufficient credits. */
async function chargeWithDueGrants(
  input: GenerateImages,
  db: DatabaseOrTransaction,
): Promise<ChargeResult> {
  const charge = await chargeGeneration(input, db);
  if (charge.status !== "insufficient") return charge;
  // Retry even if nothing was issued here: another request may have issued it while we waited.
  await issueGrantsOf(input.userId, db);
  return chargeGeneration(input, db);
}

/** Checks the balance first: moderation calls cost money. */
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

/** Returns null if maintenance settled the generation after its lease ran out. */
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
    // A bug or a lost database. If the refund fails too, the lease runs out and maintenance refunds
    // it.
    log().error({ err: error, generationId }, "generation failed unexpectedly");
    return refund("generation_failed");
  }
}
