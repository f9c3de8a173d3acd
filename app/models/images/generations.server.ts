import { createHash } from "node:crypto";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import type { Prisma } from "~/generated/prisma/client";
import type { GenerationStatus } from "~/generated/prisma/enums";
import type { GenerationRequest } from "~/services/images/generation-request";
import { isUuid } from "~/utils/uuid";

/** An image as it is kept and shown; `fileId` is set where our own store has it. */
export interface StoredImage {
  url: string;
  persisted: boolean;
  fileId: string | null;
}

/** Why a generation was refunded; the code of its answer. */
export type GenerationFault = "prompt_rejected" | "generation_failed";

/** A generation as its owner sees it. Credits throughout. */
export interface Generation {
  id: string;
  prompt: string;
  n: number;
  size: string;
  cost: number;
  status: GenerationStatus;
  provider: string | null;
  images: StoredImage[];
  /** What it came to, refunds taken off; 0 until it is settled. */
  creditsCharged: number;
  /** What could be spent when it was settled; null until then. */
  balanceAfter: number | null;
  error: GenerationFault | null;
  createdAt: Date;
}

const GENERATION = {
  id: true,
  prompt: true,
  n: true,
  size: true,
  cost: true,
  status: true,
  provider: true,
  images: true,
  creditsCharged: true,
  balanceAfter: true,
  error: true,
  createdAt: true,
} satisfies Prisma.ImageGenerationSelect;

type GenerationRow = Prisma.ImageGenerationGetPayload<{ select: typeof GENERATION }>;

/** `images` and `error` are written by this module's neighbours only, in these very shapes. */
const toGeneration = (row: GenerationRow) => row as unknown as Generation;

/**
 * The owner's generation with its images whole, data URLs included, as the JSON interface answers
 * it; null for anybody else's and for what is no id. Pages and lists take the listed one.
 */
export async function getGeneration(
  { generationId, userId }: { generationId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<Generation | null> {
  if (!isUuid(generationId)) return null;
  const row = await db.imageGeneration.findFirst({
    where: { id: generationId, userId },
    select: GENERATION,
  });
  return row && toGeneration(row);
}

/** Tells two requests under one idempotency key apart. */
export function hashRequest({ prompt, n, size }: GenerationRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([prompt, n, size]))
    .digest("base64url");
}

export type EarlierGeneration =
  | { status: "none" }
  /** The key belongs to another request. */
  | { status: "mismatch" }
  /** Its lease is over and it was never settled: the process that held it is gone. */
  | { status: "abandoned"; generationId: string }
  | { status: "in_progress" }
  | { status: "settled"; generation: Generation };

/** What has become of the request that used this idempotency key before. */
export async function findEarlier(
  {
    userId,
    idempotencyKey,
    request,
  }: {
    userId: string;
    idempotencyKey: string;
    request: GenerationRequest;
  },
  db: DatabaseOrTransaction = getDb(),
): Promise<EarlierGeneration> {
  const [earlier] = await db.$queryRaw<
    { id: string; requestHash: string; settled: boolean; abandoned: boolean }[]
  >`
    SELECT id, request_hash AS "requestHash", status <> 'charged' AS settled,
           lease_until <= now() AS abandoned
    FROM image_generations
    WHERE user_id = ${userId}::uuid AND idempotency_key = ${idempotencyKey}`;
  if (!earlier) return { status: "none" };
  if (earlier.requestHash !== hashRequest(request)) return { status: "mismatch" };
  if (earlier.settled) {
    const generation = await getGeneration({ generationId: earlier.id, userId }, db);
    if (!generation) throw new Error(`image_generations: ${earlier.id} is gone`);
    return { status: "settled", generation };
  }
  if (earlier.abandoned) return { status: "abandoned", generationId: earlier.id };
  return { status: "in_progress" };
}

/**
 * Records a generation that is about to be paid for, under a lease: whoever settles it must do so
 * before the lease is over, after which maintenance refunds it. Null if the idempotency key is taken.
 */
export async function insertCharged(
  {
    userId,
    request,
    cost,
    idempotencyKey,
  }: {
    userId: string;
    request: GenerationRequest;
    cost: number;
    idempotencyKey: string | null;
  },
  db: DatabaseOrTransaction,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO image_generations
      (user_id, idempotency_key, request_hash, prompt, n, size, cost, lease_until)
    VALUES (${userId}::uuid, ${idempotencyKey}, ${hashRequest(request)}, ${request.prompt},
            ${request.n}, ${request.size}, ${cost},
            now() + make_interval(secs => ${getEnv().ttl.generation}))
    ON CONFLICT (user_id, idempotency_key) DO NOTHING
    RETURNING id`;
  return row?.id ?? null;
}

/** Takes back `insertCharged` within its own transaction, when the credits did not suffice. */
export async function removeUncharged(id: string, db: DatabaseOrTransaction): Promise<void> {
  await db.imageGeneration.delete({ where: { id } });
}
