import { type DatabaseOrTransaction, getDb } from "~/db.server";

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

export type KeyClaim =
  /** The caller does the work now, then stores its answer or releases the key. */
  | { status: "claimed" }
  | { status: "settled"; answer: unknown }
  | { status: "mismatch" }
  | { status: "in_progress" };

/** Claims a key for its first request. One statement decides between two concurrent requests. */
export async function claimKey(
  { userId, scope, key, requestHash }: IdempotentRequest,
  db: DatabaseOrTransaction = getDb(),
): Promise<KeyClaim> {
  const claimed = await db.$executeRaw`
    INSERT INTO idempotency_keys AS earlier (user_id, scope, key, request_hash, lease_until)
    VALUES (${userId}::uuid, ${scope}, ${key}, ${requestHash},
      now() + make_interval(secs => ${LEASE}))
    ON CONFLICT (user_id, scope, key) DO UPDATE SET lease_until = excluded.lease_until
    WHERE earlier.answer IS NULL AND earlier.lease_until <= now()
      AND earlier.request_hash = excluded.request_hash`;
  if (claimed === 1) return { status: "claimed" };
  const earlier = await db.idempotencyKey.findUnique({
    where: { userId_scope_key: { userId, scope, key } },
    select: { requestHash: true, answer: true },
  });
  if (earlier && earlier.requestHash !== requestHash) return { status: "mismatch" };
  // Released in the meantime: the next request may claim it.
  if (!earlier || earlier.answer === null) return { status: "in_progress" };
  return { status: "settled", answer: earlier.answer };
}

/** Settles a claimed key: from now on its request gets this answer. */
export async function keepAnswer(
  { userId, scope, key }: IdempotentRequest,
  answer: object,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.idempotencyKey.update({
    where: { userId_scope_key: { userId, scope, key } },
    data: { answer },
    select: { key: true },
  });
}

/** Releases a claimed key as if it had not been used: nothing was done under it. */
export async function releaseKey(
  { userId, scope, key }: IdempotentRequest,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: { userId, scope, key } });
}
