import { createHash } from "node:crypto";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import type { Prisma } from "~/generated/prisma/client";
import type { GenerationStatus } from "~/generated/prisma/enums";
import type { GenerationRequest } from "~/services/images/generation-request";
import { isUuid } from "~/utils/uuid";

/** A stored image. `fileId` is set if our own store has it. */
export interface StoredImage {
  url: string;
  persisted: boolean;
  fileId: string | null;
}

/** Why a generation was refunded; also the error code of the response. */
export type GenerationFault = "prompt_rejected" | "generation_failed";

/** A generation as its owner sees it. Amounts are in credits. */
export interface Generation {
  id: string;
  prompt: string;
  n: number;
  size: string;
  cost: number;
  status: GenerationStatus;
  provider: string | null;
  images: StoredImage[];
  /** Credits charged, net of refunds; 0 until it is settled. */
  creditsCharged: number;
  /** Spendable credits when it was settled; null until then. */
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

/** Only our models write `images` and `error`, always in these shapes. */
const toGeneration = (row: GenerationRow) => row as unknown as Generation;

/**
 * The owner's generation with complete images, including data URLs, as the JSON API returns it; null
 * for somebody else's or a malformed id. Pages and lists use the listed form.
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

/** Tells apart two different requests under one idempotency key. */
export function hashRequest({ prompt, n, size }: GenerationRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([prompt, n, size]))
    .digest("base64url");
}

export type EarlierGeneration =
  | { status: "none" }
  /** The key belongs to a different request. */
  | { status: "mismatch" }
  /** The lease is over and the generation was never settled: its process died. */
  | { status: "abandoned"; generationId: string }
  | { status: "in_progress" }
  | { status: "settled"; generation: Generation };

/** The outcome of the earlier request with this idempotency key. */
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
 * Records a generation about to be charged, with a lease. Its process must settle it before the lease
 * is over; after that maintenance refunds it. Returns null if the idempotency key is taken.
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

/** Undoes `insertCharged` in the same transaction if the credits did not suffice. */
export async function removeUncharged(id: string, db: DatabaseOrTransaction): Promise<void> {
  await db.imageGeneration.delete({ where: { id } });
}
