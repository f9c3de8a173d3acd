import { type DatabaseOrTransaction, getDb } from "~/db.server";

export interface IdempotentRequest {
  userId: string;
  /** Which route's key it is. */
  scope: string;
  key: string;
  /** Tells two requests under one key apart. */
  requestHash: string;
}

/** Seconds after which a request that has not settled is taken for dead. Calls to providers end sooner. */
const LEASE = 60;

export type KeyClaim =
  /** The caller does the work now, and keeps its answer or releases the key. */
  | { status: "claimed" }
  | { status: "settled"; answer: unknown }
  | { status: "mismatch" }
  | { status: "in_progress" };

/** Claims a key for its first request; one statement decides between two that come at once. */
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
  // Released since: whoever asks again may claim it.
  if (!earlier || earlier.answer === null) return { status: "in_progress" };
  return { status: "settled", answer: earlier.answer };
}

/** Settles a claimed key: from now on its request is answered with this. */
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

/** Gives a claimed key back, as if it had not been used: nothing was done under it. */
export async function releaseKey(
  { userId, scope, key }: IdempotentRequest,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: { userId, scope, key } });
}
