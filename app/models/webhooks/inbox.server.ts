import { createHash } from "node:crypto";
import { type DatabaseOrTransaction, getDb, queryPrepared, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";

/** Attempts of any kind after which maintenance stops retrying a delivery. */
const MAX_ATTEMPTS = 10;

/** SQL: a delivery that another attempt may take now. */
export const IS_OVERDUE = Prisma.sql`
  status IN ('processing', 'failed')
  AND (lease_until > now()) IS NOT TRUE AND (next_attempt_at > now()) IS NOT TRUE`;

/** The right to process a delivery. It ends with the lease; the next claim has another token. */
export interface Claim {
  id: string;
  leaseToken: string;
}

/** A delivery's identity: the provider's event id, or the payload's hash if there is none. */
function dedupeKeyOf({
  providerEventId,
  payload,
}: {
  providerEventId: string | null;
  payload: Uint8Array;
}): string {
  if (providerEventId !== null) return `id:${providerEventId}`;
  return `sha256:${createHash("sha256").update(payload).digest("hex")}`;
}

/**
 * Stores a verified delivery and claims it, or claims the stored one again if it is unprocessed.
 * Returns null if it is processed or another attempt holds its lease. One statement decides, so of any
 * number of concurrent copies one is claimed. The latest payload replaces the stored one: the provider
 * may have corrected it.
 *
 * The first step only saves writes: a copy of what is done or in progress locks no row, which PostgreSQL
 * would have to flush to the disk. `ON CONFLICT` decides for copies that arrive at the same time.
 */
export async function claimDelivery(
  delivery: {
    provider: PaymentProviderName;
    providerEventId: string | null;
    eventType: string;
    payload: Uint8Array;
  },
  db: DatabaseOrTransaction = getDb(),
): Promise<Claim | null> {
  const { provider, eventType, payload } = delivery;
  const dedupeKey = dedupeKeyOf(delivery);
  const statement = Prisma.sql`
    WITH known AS (
      SELECT 1 FROM webhook_inbox WHERE provider = ${provider} AND dedupe_key = ${dedupeKey}
        AND (status = 'processed' OR lease_until > now())
    )
    INSERT INTO webhook_inbox AS inbox
      (provider, dedupe_key, event_type, payload, lease_token, lease_until)
    SELECT ${provider}, ${dedupeKey}, ${eventType}, ${payload}::bytea, gen_random_uuid(),
      now() + make_interval(secs => ${getEnv().ttl.webhookLease}::float8)
    WHERE NOT EXISTS (SELECT 1 FROM known)
    ON CONFLICT (provider, dedupe_key) DO UPDATE SET
      event_type = excluded.event_type, payload = excluded.payload, status = 'processing',
      lease_token = excluded.lease_token, lease_until = excluded.lease_until,
      attempts = inbox.attempts + 1, next_attempt_at = NULL
    WHERE inbox.status <> 'processed' AND (inbox.lease_until > now()) IS NOT TRUE
    RETURNING id, lease_token AS "leaseToken"`;
  const [claim] = await queryPrepared<Claim>("claim_delivery", statement, db);
  return claim ?? null;
}

/** A stored delivery, claimed for another attempt. */
export interface ClaimedDelivery extends Claim {
  provider: PaymentProviderName;
  payload: Uint8Array;
  /** Whether it was processed before. */
  wasProcessed: boolean;
}

/**
 * Claims a stored delivery in any state. Returns null if an attempt is in progress or its payload was
 * dropped. For operators: the effects of a processed delivery are not repeated.
 */
export async function claimStored(
  id: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<ClaimedDelivery | null> {
  const [claim] = await db.$queryRaw<ClaimedDelivery[]>`
    UPDATE webhook_inbox AS inbox SET status = 'processing', lease_token = gen_random_uuid(),
      lease_until = now() + make_interval(secs => ${getEnv().ttl.webhookLease}),
      attempts = attempts + 1, next_attempt_at = NULL
    FROM (SELECT id, processed_at IS NOT NULL AS "wasProcessed" FROM webhook_inbox
      WHERE id = ${id}::uuid FOR UPDATE) AS before
    WHERE inbox.id = before.id AND payload IS NOT NULL AND (lease_until > now()) IS NOT TRUE
    RETURNING inbox.id, lease_token AS "leaseToken", provider, payload, "wasProcessed"`;
  return claim ?? null;
}

/**
 * Claims the unprocessed delivery that has waited longest for a retry, or returns null. A delivery that
 * has used up its attempts becomes dead: it may have crashed the processes that tried it.
 */
export async function claimOverdue(
  db: DatabaseOrTransaction = getDb(),
): Promise<ClaimedDelivery | null> {
  await db.$executeRaw`
    UPDATE webhook_inbox SET status = 'dead', lease_token = NULL, lease_until = NULL
    WHERE status IN ('processing', 'failed') AND attempts >= ${MAX_ATTEMPTS}
      AND (lease_until > now()) IS NOT TRUE`;
  const [claim] = await db.$queryRaw<ClaimedDelivery[]>`
    UPDATE webhook_inbox SET status = 'processing', lease_token = gen_random_uuid(),
      lease_until = now() + make_interval(secs => ${getEnv().ttl.webhookLease}),
      attempts = attempts + 1, next_attempt_at = NULL
    WHERE id = (
      SELECT id FROM webhook_inbox
      WHERE ${IS_OVERDUE}
      ORDER BY received_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, lease_token AS "leaseToken", provider, payload, false AS "wasProcessed"`;
  return claim ?? null;
}

/** The end of an attempt. */
export interface Ended extends Claim {
  /** The ids in its payload, by which its person is found. */
  names: string[];
}

/**
 * Locks the delivery and ends it for good, as the first statement of the transaction that applies its
 * effects: both or neither. Returns false if another attempt has begun and the claim is void.
 */
export async function endClaimed(
  { id, leaseToken, names }: Ended,
  transaction: Transaction,
): Promise<boolean> {
  const statement = Prisma.sql`
    UPDATE webhook_inbox SET status = 'processed', processed_at = clock_timestamp(),
      lease_token = NULL, lease_until = NULL, next_attempt_at = NULL, last_error = NULL,
      names = ${names}::text[]
    WHERE id = ${id}::uuid AND lease_token = ${leaseToken}::uuid RETURNING id`;
  const ended = await queryPrepared("end_claimed", statement, transaction);
  return ended.length === 1;
}

/**
 * Releases the delivery after a failure, in a separate transaction. The provider's next delivery may
 * claim it at once. Maintenance waits a minute, three times longer after each failure, up to 12 hours.
 */
export async function releaseFailed(
  { id, leaseToken, names, error }: Ended & { error: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_inbox SET
      status = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'dead' ELSE 'failed' END::webhook_status,
      lease_token = NULL, lease_until = NULL, last_error = ${error}, names = ${names}::text[],
      next_attempt_at = now() + least(interval '12 hours',
        interval '1 minute' * power(3, least(attempts, ${MAX_ATTEMPTS}) - 1))
    WHERE id = ${id}::uuid AND lease_token = ${leaseToken}::uuid`;
}
