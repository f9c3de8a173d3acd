import { randomUUID } from "node:crypto";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

export interface IdempotentRequest {
  userId: string;
  /** The route that the key belongs to. */
  scope: string;
  key: string;
  /** Tells apart two different requests under one key. */
  requestHash: string;
}

/** Seconds after which an unsettled request is assumed dead. Calls to providers end sooner. */
const LEASE = 60;

/** A key's holder: the token is replaced when another request takes over after the lease. */
export type HeldKey = IdempotentRequest & { leaseToken: string };

export type KeyClaim =
  /** The caller does the work now, then stores its answer or releases the key. */
  | { status: "claimed"; held: HeldKey }
  | { status: "settled"; answer: unknown }
  | { status: "mismatch" }
  | { status: "in_progress" };

/**
 * Claims a key for its first request. One statement decides between two concurrent requests. An answer
 * whose time is over is not replayed: the key can be claimed like a new one.
 */
export async function claimKey(
  request: IdempotentRequest,
  db: DatabaseOrTransaction = getDb(),
): Promise<KeyClaim> {
  const { userId, scope, key, requestHash } = request;
  const leaseToken = randomUUID();
  const claimed = await db.$executeRaw`
    INSERT INTO idempotency_keys AS earlier
      (user_id, scope, key, request_hash, lease_until, lease_token)
    VALUES (${userId}::uuid, ${scope}, ${key}, ${requestHash},
      now() + make_interval(secs => ${LEASE}), ${leaseToken}::uuid)
    ON CONFLICT (user_id, scope, key) DO UPDATE
    SET lease_until = excluded.lease_until, lease_token = excluded.lease_token
    WHERE earlier.answer IS NULL AND earlier.lease_until <= now()
      AND earlier.request_hash = excluded.request_hash`;
  if (claimed === 1) return { status: "claimed", held: { ...request, leaseToken } };
  const [earlier] = await db.$queryRaw<{ requestHash: string; answer: unknown; isOver: boolean }[]>`
    SELECT request_hash AS "requestHash", answer,
      (answer IS NOT NULL AND answer_until <= now()) IS TRUE AS "isOver"
    FROM idempotency_keys
    WHERE user_id = ${userId}::uuid AND scope = ${scope} AND key = ${key}`;
  if (earlier && earlier.requestHash !== requestHash) return { status: "mismatch" };
  if (earlier?.isOver) {
    await setAside(request, db);
    return claimKey(request, db);
  }
  // Released in the meantime: the next request may claim it.
  if (!earlier || earlier.answer === null) return { status: "in_progress" };
  return { status: "settled", answer: earlier.answer };
}

/**
 * Frees the key of an answer whose time is over. Its row stays under a name of its own, because
 * reconciliation looks for checkouts in these rows. Of two requests at once, only one finds the row.
 */
async function setAside(
  { userId, scope, key }: IdempotentRequest,
  db: DatabaseOrTransaction,
): Promise<void> {
  await db.$executeRaw`
    UPDATE idempotency_keys SET key = 'over:' || gen_random_uuid()
    WHERE user_id = ${userId}::uuid AND scope = ${scope} AND key = ${key}
      AND answer IS NOT NULL AND answer_until <= now()`;
}

/**
 * Settles a held key: from now on its request gets this answer, until `until` if that is given. Returns
 * whether it did. It does nothing if another request took over the key after the lease.
 */
export async function keepAnswer(
  { held, answer, until }: { held: HeldKey; answer: object; until: Date | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const { count } = await db.idempotencyKey.updateMany({
    where: { ...rowOf(held), answer: { equals: Prisma.AnyNull } },
    data: { answer, answerUntil: until },
  });
  return count === 1;
}

/**
 * Releases a held key as if it had not been used: nothing was done under it. Does nothing if another
 * request took it over.
 */
export async function releaseKey(
  held: HeldKey,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: rowOf(held) });
}

const rowOf = ({ userId, scope, key, leaseToken }: HeldKey) => ({
  userId,
  scope,
  key,
  leaseToken,
});
