import { randomUUID } from "node:crypto";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { type DatabaseOrTransaction, getDb, queryPrepared, type Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { refundRun } from "~/models/billing/returns/spend-refunds.server";
import { spendableCredits } from "~/models/credits/balance.server";
import { markGenerated } from "~/models/files/confirmations.server";
import { THUMBNAILS_DUE } from "~/models/files/thumbnails-due.server";
import {
  chargeForGeneration,
  GENERATION,
  type Generation,
  type GenerationFault,
  generationSource,
  isKeyTaken,
  type StoredImage,
} from "~/models/images/generations.server";
import { costOf, type GenerationRequest } from "~/services/images/generation-request";
import { log } from "~/utils/logger.server";

export type ChargeResult =
  | { status: "charged"; generationId: string }
  | { status: "insufficient"; required: number; balance: number }
  /** The idempotency key was taken after it was looked up. */
  | { status: "key_taken" };

/**
 * Transaction 1: the generation's row with its lease, and the deduction, both or neither. No provider
 * is called before this has committed, so no image is made without payment.
 */
export async function chargeGeneration(
  input: {
    userId: string;
    request: GenerationRequest;
    idempotencyKey: string | null;
  },
  db: DatabaseOrTransaction = getDb(),
): Promise<ChargeResult> {
  const generationId = randomUUID();
  const cost = costOf(input.request);
  const spent = await chargeForGeneration({ ...input, generationId, cost }, db);
  if (spent.status === "spent") return { status: "charged", generationId };
  if (spent.status === "duplicate")
    throw new Error(`${generationSource(generationId)} was spent before it was made`);
  return (await isKeyTaken(input, db)) ? { status: "key_taken" } : spent;
}

interface Success {
  generationId: string;
  provider: string;
  images: StoredImage[];
}

/**
 * Transaction 2 for a success. The compare-and-set decides: returns null if maintenance has refunded
 * the generation, which is then not charged again. The same transaction refunds images that were not
 * delivered and turns our copies into files. If all images came, it is one statement.
 */
export async function settleSucceeded(
  success: Success,
  db: DatabaseOrTransaction = getDb(),
): Promise<Generation | null> {
  const settled = await settleComplete(success, db);
  if (settled) return settled;
  const { generationId, provider, images } = success;
  return db.$transaction(async (transaction) => {
    const [row] = await transaction.$queryRaw<{ userId: string; cost: number }[]>`
      UPDATE image_generations
      SET status = 'succeeded', provider = ${provider}, images = ${JSON.stringify(images)}::jsonb,
          credits_charged = ${images.length * CREDITS_PER_IMAGE}, settled_at = now()
      WHERE id = ${generationId}::uuid AND status = 'charged'
      RETURNING user_id AS "userId", cost`;
    if (!row) return null;
    const missing = row.cost - images.length * CREDITS_PER_IMAGE;
    if (missing > 0) {
      await refundRun({ source: generationSource(generationId), amount: missing }, transaction);
    }
    await markGenerated(listFileIds(images), transaction);
    return storeBalance(generationId, transaction);
  });
}

/** Settles a generation that brought every image; null, with nothing changed, for any other. */
async function settleComplete(
  { generationId, provider, images }: Success,
  db: DatabaseOrTransaction,
): Promise<Generation | null> {
  const charged = images.length * CREDITS_PER_IMAGE;
  const statement = Prisma.sql`
    WITH settled AS (
      UPDATE image_generations SET status = 'succeeded', provider = ${provider},
        images = ${JSON.stringify(images)}::jsonb, credits_charged = ${charged}::int,
        balance_after = ${spendableCredits(Prisma.sql`image_generations.user_id`)}, settled_at = now()
      WHERE id = ${generationId}::uuid AND status = 'charged' AND cost <= ${charged}::int
      RETURNING ${GENERATION}
    ),
    filed AS (
      UPDATE files SET status = 'confirmed', confirmed_at = now(), thumbnails_due_at = ${THUMBNAILS_DUE}
      FROM settled WHERE files.id = ANY (${listFileIds(images)}::uuid[]) AND files.status = 'pending'
    )
    SELECT * FROM settled`;
  const [settled] = await queryPrepared<Generation>("settle_generation", statement, db);
  return settled ?? null;
}

const listFileIds = (images: StoredImage[]): string[] =>
  images.flatMap(({ fileId }) => (fileId ? [fileId] : []));

/**
 * Transaction 2 for a failure: refunds everything, once. Returns null if the generation was already
 * settled, by its own process or by maintenance.
 */
export async function settleRefunded(
  { generationId, error }: { generationId: string; error: GenerationFault },
  db: DatabaseOrTransaction = getDb(),
): Promise<Generation | null> {
  return db.$transaction(async (transaction) => {
    const refunded = await transaction.$executeRaw`
      UPDATE image_generations SET status = 'refunded', error = ${error}, settled_at = now()
      WHERE id = ${generationId}::uuid AND status = 'charged'`;
    if (refunded === 0) return null;
    await refundRun({ source: generationSource(generationId) }, transaction);
    return storeBalance(generationId, transaction);
  });
}

/** Stores the balance of the response, so that a replayed request returns the same. */
async function storeBalance(
  generationId: string,
  transaction: Transaction,
): Promise<Generation | null> {
  const [generation] = await transaction.$queryRaw<Generation[]>`
    UPDATE image_generations
    SET balance_after = ${spendableCredits(Prisma.sql`image_generations.user_id`)}
    WHERE id = ${generationId}::uuid
    RETURNING ${GENERATION}`;
  return generation ?? null;
}

/**
 * Refunds up to `limit` generations whose lease is over because the process that charged them died.
 * Each is its own transaction. The compare-and-set makes it safe to run in parallel with itself and
 * with a process that settles late. Returns the number refunded. Throws at the end if any could not be.
 * Even so, every one is tried: the longest overdue come first, and a faulty one would otherwise block
 * the rest for good.
 */
export async function refundStaleGenerations(
  { limit }: { limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const stale = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM image_generations
    WHERE status = 'charged' AND lease_until <= now() ORDER BY lease_until LIMIT ${limit}`;
  let refunded = 0;
  const failed: string[] = [];
  for (const { id } of stale) {
    try {
      const settled = await settleRefunded({ generationId: id, error: "generation_failed" }, db);
      if (settled) refunded += 1;
    } catch (error) {
      failed.push(id);
      log().error({ err: error, generationId: id }, "a stale generation could not be refunded");
    }
  }
  if (failed.length > 0) throw new Error(`no refund for generation ${failed.join(", ")}`);
  return refunded;
}
