import { createHash } from "node:crypto";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import type { GenerationStatus } from "~/generated/prisma/enums";
import { type SpendResult, spendCredits } from "~/models/credits/spends.server";
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

/** SQL: the columns of a `Generation`. */
export const GENERATION = Prisma.sql`
  image_generations.id, prompt, n, size, cost, image_generations.status, provider, images,
  credits_charged AS "creditsCharged", balance_after AS "balanceAfter", error,
  image_generations.created_at AS "createdAt"`;

/**
 * The owner's generation with complete images, including data URLs, as the JSON API returns it; null
 * for somebody else's or a malformed id. Pages and lists use the listed form.
 */
export async function getGeneration(
  { generationId, userId }: { generationId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<Generation | null> {
  if (!isUuid(generationId)) return null;
  const statement = Prisma.sql`
    SELECT ${GENERATION} FROM image_generations
    WHERE id = ${generationId}::uuid AND user_id = ${userId}::uuid`;
  const [row] = await queryPrepared<Generation>("get_generation", statement, db);
  return row ?? null;
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
  | { status: "in_progress"; generationId: string }
  | { status: "settled"; generation: Generation };

interface EarlierRow {
  id: string;
  requestHash: string;
  settled: boolean;
  abandoned: boolean;
}

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
  const statement = Prisma.sql`
    SELECT id, request_hash AS "requestHash", status <> 'charged' AS settled,
           lease_until <= now() AS abandoned
    FROM image_generations
    WHERE user_id = ${userId}::uuid AND idempotency_key = ${idempotencyKey}`;
  const [earlier] = await queryPrepared<EarlierRow>("find_earlier_generation", statement, db);
  if (!earlier) return { status: "none" };
  if (earlier.requestHash !== hashRequest(request)) return { status: "mismatch" };
  if (earlier.settled) {
    const generation = await getGeneration({ generationId: earlier.id, userId }, db);
    if (!generation) throw new Error(`image_generations: ${earlier.id} is gone`);
    return { status: "settled", generation };
  }
  if (earlier.abandoned) return { status: "abandoned", generationId: earlier.id };
  return { status: "in_progress", generationId: earlier.id };
}

/**
 * Charges for a new generation: its row with a lease and the deduction, in one statement. Its process
 * must settle it before the lease is over; after that maintenance refunds it. Takes nothing if the
 * idempotency key is taken.
 *
 * The account is locked before the row is made. Nobody else can hold a lock on a row that doesn't exist
 * yet, and whoever makes one for the same key holds this account first. So the two can't deadlock.
 */
export function chargeForGeneration(
  {
    userId,
    request,
    cost,
    idempotencyKey,
    generationId,
  }: {
    userId: string;
    request: GenerationRequest;
    cost: number;
    idempotencyKey: string | null;
    generationId: string;
  },
  db: DatabaseOrTransaction,
): Promise<SpendResult> {
  const { prompt, n, size } = request;
  const attachedRow = {
    name: "charge_generation",
    condition: Prisma.sql`NOT EXISTS (
      SELECT 1 FROM image_generations
      WHERE user_id = ${userId}::uuid AND idempotency_key = ${idempotencyKey})`,
    step: Prisma.sql`, generation AS (
      INSERT INTO image_generations
        (id, user_id, idempotency_key, request_hash, prompt, n, size, cost, lease_until)
      SELECT ${generationId}::uuid, user_id, ${idempotencyKey}, ${hashRequest(request)}, ${prompt},
        ${n}::int, ${size}, ${cost}::int,
        now() + make_interval(secs => ${getEnv().ttl.generation}::float8)
      FROM movement
    )`,
  };
  const source = generationSource(generationId);
  return spendCredits({ userId, amount: cost, source, reference: generationId, attachedRow }, db);
}

/** Whether the user has a generation with this idempotency key. */
export async function isKeyTaken(
  { userId, idempotencyKey }: { userId: string; idempotencyKey: string | null },
  db: DatabaseOrTransaction,
): Promise<boolean> {
  if (idempotencyKey === null) return false;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS taken FROM image_generations
    WHERE user_id = ${userId}::uuid AND idempotency_key = ${idempotencyKey}`;
  return rows.length > 0;
}

/** The source of a generation's deduction. */
export const generationSource = (generationId: string) => `generation:${generationId}`;
