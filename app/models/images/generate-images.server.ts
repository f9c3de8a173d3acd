import { randomUUID } from "node:crypto";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import { requestFields } from "~/models/images/generations.server";
import { makeImages } from "~/models/images/make-images.server";
import { type ActionRequest, deadlineOf, meter } from "~/models/metering/meter.server";
import type { OwnStep } from "~/models/metering/reserve.server";
import type { EndedRun, MeterRefusal, StartedRun } from "~/models/metering/start-run.server";
import { costOf, type GenerationRequest, unitsOf } from "~/services/images/generation-request";
import type { ImageRouter } from "~/services/images/image-router.server";
import type { CheckPrompt } from "~/services/images/prompt-check.server";
import type { ObjectStore } from "~/services/storage/object-store.server";

export interface GenerateImages {
  userId: string;
  /** The key of a program; none for a session. */
  apiKeyId?: string | null;
  request: GenerationRequest;
  /** From the client or the form; null for a request without one. */
  idempotencyKey: string | null;
  /** Nobody waits for the end. */
  isAsynchronous?: boolean;
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
  const { userId, request, isAsynchronous = false } = input;
  const { router, store } = services;
  const totalMs = deadlineOf("image", { isAsynchronous }) * 1_000;
  const work = { userId, request, router, store, totalMs, found: null, isAsynchronous };
  const admitted = { ...imageRun(input), admit: () => admit(input, services, db) };
  return meter<GenerationRefusal>("image", admitted, (run) => makeImages(work, run, db), db);
}

/** The run that a request for images asks for. */
export const imageRun = ({
  userId,
  apiKeyId,
  request,
  idempotencyKey,
  isAsynchronous,
}: GenerateImages): ActionRequest => ({
  userId,
  apiKeyId: apiKeyId ?? null,
  units: unitsOf(request),
  idempotencyKey,
  fields: requestFields(request),
  isAsynchronous: isAsynchronous ?? false,
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
