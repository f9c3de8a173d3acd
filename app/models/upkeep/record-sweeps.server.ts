import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { SESSION_IS_OVER } from "~/models/accounts/sessions.server";

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

/** Rows that are worth nothing any more from some time on. */
const OUTDATED = {
  sessions: [Prisma.sql`sessions`, SESSION_IS_OVER],
  /** E-mail links, used or not. */
  tokens: [Prisma.sql`verification_tokens`, Prisma.sql`expires_at <= now()`],
  /** Clients try again within hours; reconciliation looks a week back. */
  idempotencyKeys: [
    Prisma.sql`idempotency_keys`,
    Prisma.sql`created_at <= now() - interval '7 days' AND lease_until <= now()`,
  ],
  rateLimits: [Prisma.sql`rate_limits`, Prisma.sql`expires_at <= now()`],
  jobRuns: [Prisma.sql`job_runs`, Prisma.sql`started_at <= now() - interval '90 days'`],
} satisfies Record<string, [table: Prisma.Sql, isOver: Prisma.Sql]>;

/**
 * Removes up to `limit` rows of one kind whose time is over. What somebody is at work on is passed
 * over, and what was renewed while this waited is not over.
 */
export function removeOutdated(
  kind: keyof typeof OUTDATED,
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const [table, isOver] = OUTDATED[kind];
  return db.$executeRaw`
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM ${table} WHERE ${isOver} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}
