import { CREDITS_PER_IMAGE } from "~/catalog";
import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { markGenerated } from "~/models/files/files.server";
import {
  type Generation,
  type GenerationFault,
  getGeneration,
  insertCharged,
  removeUncharged,
  type StoredImage,
} from "~/models/images/generations.server";
import { refundGeneration } from "~/models/images/refunds.server";
import { costOf, type GenerationRequest } from "~/services/images/generation-request";
import { log } from "~/utils/logger.server";

const sourceOf = (generationId: string) => `generation:${generationId}`;

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
  {
    userId,
    request,
    idempotencyKey,
  }: {
    userId: string;
    request: GenerationRequest;
    idempotencyKey: string | null;
  },
  db: DatabaseOrTransaction = getDb(),
): Promise<ChargeResult> {
  const cost = costOf(request);
  return db.$transaction(async (transaction) => {
    const id = await insertCharged({ userId, request, cost, idempotencyKey }, transaction);
    if (!id) return { status: "key_taken" };
    const spent = await spendCredits(
      { userId, amount: cost, source: sourceOf(id), reference: id },
      transaction,
    );
    if (spent.status === "spent") return { status: "charged", generationId: id };
    if (spent.status === "duplicate")
      throw new Error(`${sourceOf(id)} was spent before it was made`);
    await removeUncharged(id, transaction);
    return spent;
  });
}

/**
 * Transaction 2 for a success. The compare-and-set decides: returns null if maintenance has refunded
 * the generation, which is then not charged again. The same transaction refunds images that were not
 * delivered and turns our copies into files.
 */
export async function settleSucceeded(
  {
    generationId,
    provider,
    images,
  }: {
    generationId: string;
    provider: string;
    images: StoredImage[];
  },
  db: DatabaseOrTransaction = getDb(),
): Promise<Generation | null> {
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
      await refundGeneration({ source: sourceOf(generationId), amount: missing }, transaction);
    }
    await markGenerated(
      images.flatMap(({ fileId }) => (fileId ? [fileId] : [])),
      transaction,
    );
    return withBalance({ generationId, userId: row.userId }, transaction);
  });
}

/**
 * Transaction 2 for a failure: refunds everything, once. Returns null if the generation was already
 * settled, by its own process or by maintenance.
 */
export async function settleRefunded(
  { generationId, error }: { generationId: string; error: GenerationFault },
  db: DatabaseOrTransaction = getDb(),
): Promise<Generation | null> {
  return db.$transaction(async (transaction) => {
    const [row] = await transaction.$queryRaw<{ userId: string }[]>`
      UPDATE image_generations SET status = 'refunded', error = ${error}, settled_at = now()
      WHERE id = ${generationId}::uuid AND status = 'charged'
      RETURNING user_id AS "userId"`;
    if (!row) return null;
    await refundGeneration({ source: sourceOf(generationId) }, transaction);
    return withBalance({ generationId, userId: row.userId }, transaction);
  });
}

/** Stores the balance of the response, so that a replayed request returns the same. */
async function withBalance(
  { generationId, userId }: { generationId: string; userId: string },
  transaction: Transaction,
): Promise<Generation | null> {
  await transaction.imageGeneration.update({
    where: { id: generationId },
    data: { balanceAfter: await getBalance(userId, transaction) },
    select: { id: true },
  });
  return getGeneration({ generationId, userId }, transaction);
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
