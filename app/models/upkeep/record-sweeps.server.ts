import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { SESSION_IS_OVER } from "~/models/accounts/sessions.server";
import { MADE } from "~/models/images/generations.server";

interface Sweep {
  /** Maximum number of rows. */
  limit: number;
}

/** SQL: a generation whose data URLs are old enough to go. */
export const HAS_OLD_DATA_URLS = Prisma.sql`
  image.images::text LIKE '%"data:%' AND run.settled_at <= now() - interval '24 hours'`;

/**
 * Removes data URLs from up to `limit` generations settled over a day ago. Without storage they are the
 * only copy, but they take megabytes each, and the database is not meant to keep them.
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
      SELECT image.id FROM ${MADE}
      WHERE ${HAS_OLD_DATA_URLS}
      ORDER BY run.settled_at LIMIT ${limit} FOR UPDATE OF image SKIP LOCKED
    )`;
}

/** A processed delivery's bytes are kept this many days, for questions. */
export const PROCESSED_PAYLOAD_DAYS = 30;
/** Days for which a dead delivery keeps its bytes: an operator may replay it, and the provider may be asked. */
export const DEAD_PAYLOAD_DAYS = 180;

/** SQL: a delivery whose bytes nobody needs any more. */
export const HAS_OLD_PAYLOAD = Prisma.sql`
  payload IS NOT NULL AND (
    (status = 'processed' AND processed_at <= now() - make_interval(days => ${PROCESSED_PAYLOAD_DAYS}::int))
    OR (status = 'dead' AND received_at <= now() - make_interval(days => ${DEAD_PAYLOAD_DAYS}::int)))`;

/**
 * Drops the payloads of old deliveries that are processed or dead, and the ids in them. The rows stay: they are the
 * only defence against a replay.
 */
export function dropOldPayloads(
  { limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$executeRaw`
    UPDATE webhook_inbox SET payload = NULL, names = '{}' WHERE id IN (
      SELECT id FROM webhook_inbox WHERE ${HAS_OLD_PAYLOAD}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      AND status IN ('processed', 'dead')`;
}

/** Rows that are worthless after a certain time. */
export const OUTDATED = {
  sessions: [Prisma.sql`sessions`, SESSION_IS_OVER],
  /** Emailed links, used or not. */
  tokens: [Prisma.sql`verification_tokens`, Prisma.sql`expires_at <= now()`],
  /** Sent, or given up. */
  emails: [
    Prisma.sql`outbox_emails`,
    Prisma.sql`created_at <= now() - interval '90 days' AND next_attempt_at IS NULL`,
  ],
  /** Steps of signing in, met or not. */
  challenges: [Prisma.sql`auth_challenges`, Prisma.sql`expires_at <= now()`],
  /** Clients retry within hours; reconciliation looks back a week. */
  idempotencyKeys: [
    Prisma.sql`idempotency_keys`,
    Prisma.sql`created_at <= now() - interval '7 days' AND lease_until <= now()`,
  ],
  rateLimits: [Prisma.sql`rate_limits`, Prisma.sql`expires_at <= now()`],
  jobRuns: [Prisma.sql`job_runs`, Prisma.sql`started_at <= now() - interval '90 days'`],
  /** Not renewed for an hour: the process has ended. */
  processes: [Prisma.sql`server_processes`, Prisma.sql`seen_at <= now() - interval '1 hour'`],
  rejections: [Prisma.sql`webhook_rejections`, Prisma.sql`hour <= now() - interval '90 days'`],
  /** Of months that are over. Two days later the last run of the month has ended, too. */
  crossings: [
    Prisma.sql`crossings`,
    Prisma.sql`month < date_trunc('month', (now() AT TIME ZONE 'UTC') - interval '2 days')::date`,
  ],
} satisfies Record<string, [table: Prisma.Sql, isOver: Prisma.Sql]>;

/** Removes up to `limit` outdated rows of one kind. Skips locked rows, and rows renewed while this waited. */
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
