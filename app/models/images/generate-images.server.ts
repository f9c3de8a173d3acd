import { randomUUID } from "node:crypto";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import { fileGenerated } from "~/models/files/confirmations.server";
import { saveImages } from "~/models/images/generated-files.server";
import { requestFields, type StoredImage } from "~/models/images/generations.server";
import { getImageAccess } from "~/models/images/image-access.server";
import { type ActionRequest, meter, type PerformAction } from "~/models/metering/meter.server";
import type { OwnStep } from "~/models/metering/reserve.server";
import type { EndedRun, MeterRefusal, StartedRun } from "~/models/metering/start-run.server";
import { costOf, type GenerationRequest } from "~/services/images/generation-request";
import type { ImageRouter } from "~/services/images/image-router.server";
import type { CheckPrompt } from "~/services/images/prompt-check.server";
import type { ObjectStore } from "~/services/storage/object-store.server";

export interface GenerateImages {
  userId: string;
  request: GenerationRequest;
  /** From the client or the form; null for a request without one. */
  idempotencyKey: string | null;
}

export interface ImageServices {
  /** Null if no provider is configured. */
  router: ImageRouter | null;
  checkPrompt: CheckPrompt | null;
  store: ObjectStore | null;
}

/** Refused before anything was charged. */
export type GenerationRefusal =
  | MeterRefusal
  | { status: "prompt_rejected" }
  | { status: "generation_unavailable" };

/** Begins to make images for credits. `meter` says in which steps. */
export function startGeneration(
  input: GenerateImages,
  services: ImageServices,
  db: DatabaseOrTransaction = getDb(),
): Promise<StartedRun | EndedRun | GenerationRefusal> {
  const admitted = { ...imageRun(input), admit: () => admit(input, services, db) };
  return meter<GenerationRefusal>("image", admitted, () => makeImages(input, services, db), db);
}

/** The run that a request for images asks for. */
export const imageRun = ({ userId, request, idempotencyKey }: GenerateImages): ActionRequest => ({
  userId,
  units: request.n,
  idempotencyKey,
  fields: requestFields(request),
  own: keepRequest(request),
});

/** Keeps what was asked for. */
const keepRequest = ({ prompt, n, size }: GenerationRequest): OwnStep => ({
  name: "image",
  step: Prisma.sql`, image AS (
    INSERT INTO image_generations (id, prompt, n, size)
    SELECT run.id, ${prompt}, ${n}::int, ${size} FROM run
  )`,
});

/** Keeps the images, and turns our copies into files. */
export const keepImages = (images: StoredImage[], passedOver: string[] = []): OwnStep => ({
  name: "image",
  step: Prisma.sql`, image AS (
    UPDATE image_generations image
    SET images = ${JSON.stringify(images)}::jsonb, passed_over = ${passedOver}::text[]
    FROM settled WHERE image.id = settled.id
  ),
  filed AS (${fileGenerated(listFileIds(images))})`,
});

const listFileIds = (images: StoredImage[]): string[] =>
  images.flatMap(({ fileId }) => (fileId ? [fileId] : []));

/** Asks for the balance before it asks for a check of the prompt: such checks cost money. */
async function admit(
  { userId, request }: GenerateImages,
  { router, checkPrompt }: ImageServices,
  db: DatabaseOrTransaction,
): Promise<GenerationRefusal | null> {
  if (!router) return { status: "generation_unavailable" };
  if (!checkPrompt) return null;
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

/** Asks the providers and saves what they made. */
async function makeImages(
  { userId, request }: GenerateImages,
  { router, store }: ImageServices,
  db: DatabaseOrTransaction,
): ReturnType<PerformAction> {
  if (!router) throw new Error("a run for images was admitted without a provider");
  const outcome = await router.generate(request);
  if (outcome.status !== "generated") {
    const isRefused = outcome.status === "refused";
    return { error: isRefused ? "prompt_rejected" : "generation_failed" };
  }
  const { provider, passedOver } = outcome;
  const { apiBase, model } = getEnv().images.providers[provider];
  const access = await getImageAccess(userId, db);
  const { prompt } = request;
  const images = await saveImages(
    { userId, prompt, access, images: outcome.images, apiBase, store },
    db,
  );
  const own = keepImages(images, passedOver);
  return { units: images.length, provider, model, own };
}
