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
  /** The idempotency key was taken since it was looked up. */
  | { status: "key_taken" };

/**
 * Transaction 1: the generation's row with its lease, and the deduction, both or neither. Nothing
 * is called before this has committed, so nothing is ever made that nobody paid for.
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
 * Transaction 2 for a success: the compare-and-set decides, so what maintenance refunded meanwhile
 * is never charged again (null then). Images that did not come are refunded in the same transaction,
 * and our copies become files.
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
 * Transaction 2 for a failure: everything goes back, once. Null if it was settled before, by its own
 * process or by maintenance.
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

/** Keeps the balance that is answered, so that a replay of the request answers the same. */
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
 * Refunds up to `limit` generations whose lease is over: the process that charged them is gone.
 * Each in a transaction of its own; the compare-and-set makes it safe beside itself and beside a
 * process that settles late. Answers how many were refunded; throws at the end if any could not be,
 * since the longest overdue come first, and one at fault would else hold up all others for good.
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
