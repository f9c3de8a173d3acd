import { type DatabaseOrTransaction, getDb } from "~/db.server";

interface Sweep {
  /** Rows at most. */
  limit: number;
}

/**
 * Takes data URLs out of up to `limit` generations settled a day ago: without storage they are the
 * only copy, megabytes each, and a database is no place to keep them.
 */
export function purgeDataUrls(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    UPDATE image_generations SET images = coalesce(
      (SELECT jsonb_agg(image ORDER BY at) FROM jsonb_array_elements(images)
         WITH ORDINALITY AS kept (image, at) WHERE image ->> 'url' NOT LIKE 'data:%'), '[]')
    WHERE id IN (
      SELECT id FROM image_generations
      WHERE images::text LIKE '%"data:%' AND settled_at <= now() - interval '24 hours'
      ORDER BY settled_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`;
}

/** Ends sessions whose time is over. */
export function removeEndedSessions(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT ${limit})`;
}

/** Removes the tokens of e-mail links whose time is over, used or not. */
export function removeEndedTokens(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM verification_tokens WHERE id IN (
      SELECT id FROM verification_tokens WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${limit})`;
}

/** Drops the payloads of deliveries processed 30 days ago. Their rows stay: they are the only defence against a replay. */
export function dropOldPayloads(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    UPDATE webhook_inbox SET payload = NULL WHERE id IN (
      SELECT id FROM webhook_inbox
      WHERE status = 'processed' AND payload IS NOT NULL
        AND processed_at <= now() - interval '30 days'
      ORDER BY processed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      AND status = 'processed'`;
}

/** Forgets idempotency keys after a week; clients try again within hours. */
export function removeOldIdempotencyKeys(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_keys WHERE (user_id, scope, key) IN (
      SELECT user_id, scope, key FROM idempotency_keys
      WHERE created_at <= now() - interval '7 days' AND lease_until <= now()
      ORDER BY created_at LIMIT ${limit})`;
}

/** Removes the counters of rate limits whose window is over. */
export function removeEndedRateLimits(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM rate_limits WHERE key IN (
      SELECT key FROM rate_limits WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      AND expires_at <= now()`;
}

/** Forgets the runs of scheduled jobs after 90 days. */
export function removeOldJobRuns(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM job_runs WHERE id IN (
      SELECT id FROM job_runs WHERE started_at <= now() - interval '90 days'
      ORDER BY started_at LIMIT ${limit})`;
}
