import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { StoredEmail } from "~/models/emails/listing.server";
import { JOB_NAMES } from "~/models/jobs/job-kinds";
import type { StoredJob } from "~/models/jobs/listing.server";
import type { WebhookStatus } from "~/models/webhooks/listing.server";

/** Emails to a person, without their text: those that weren't sent, then the newest. */
export function listEmailsOf(
  { userId, limit }: { userId: string; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<StoredEmail[]> {
  return db.$queryRaw`
    SELECT id, user_id AS "userId", kind, attempts, created_at AS "createdAt",
      next_attempt_at AS "nextAttemptAt", sent_at AS "sentAt", last_error AS "lastError",
      CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN next_attempt_at IS NULL THEN 'given-up'
        ELSE 'waiting' END AS state
    FROM outbox_emails WHERE user_id = ${userId}::uuid
    ORDER BY sent_at IS NOT NULL, created_at DESC LIMIT ${limit}`;
}

export type UserJob = Pick<
  StoredJob,
  "id" | "name" | "state" | "attempts" | "createdAt" | "endedAt" | "error"
>;

/** Jobs of a kind that are looked through: those that wait or failed, and the newest of all. */
const JOBS_SEEN = 5_000;

const JOB = Prisma.sql`
  id, name, data, state, created_on, started_on, completed_on, retry_count, output`;

/**
 * Jobs about a person's newest runs, emails and files: those that failed or wait, then the newest. Both branches read an
 * index, and end.
 */
export function listJobsOf(
  { userId, limit }: { userId: string; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<UserJob[]> {
  return db.$queryRaw`
    WITH things AS (
      (SELECT id FROM metered_runs WHERE account_id = ${userId}::uuid ORDER BY created_at DESC LIMIT 100)
      UNION ALL
      (SELECT id FROM outbox_emails WHERE user_id = ${userId}::uuid ORDER BY created_at DESC LIMIT 100)
      UNION ALL
      (SELECT id FROM files WHERE user_id = ${userId}::uuid ORDER BY created_at DESC LIMIT 100)),
    seen AS MATERIALIZED (
      SELECT DISTINCT ON (near.id) near.*
      FROM unnest(${JOB_NAMES}::text[]) AS kind (name), LATERAL (
        (SELECT ${JOB} FROM pgboss.job WHERE job.name = kind.name
         ORDER BY created_on DESC LIMIT ${JOBS_SEEN})
        UNION ALL
        (SELECT ${JOB} FROM pgboss.job WHERE job.name = kind.name
           AND state IN ('created', 'retry', 'active', 'failed') LIMIT ${JOBS_SEEN})) AS near)
    SELECT seen.id, name, state::text AS state, created_on AS "createdAt", completed_on AS "endedAt",
      retry_count + (started_on IS NOT NULL)::int AS attempts,
      coalesce(output->>'message', output->'value'->>'message', output->>'value') AS error
    FROM seen JOIN things
      ON things.id::text = coalesce(data->>'runId', data->>'emailId', data->>'fileId')
    ORDER BY state IN ('completed', 'cancelled'), created_on DESC LIMIT ${limit}`;
}

export interface UserDelivery {
  id: string;
  provider: string;
  eventType: string;
  status: WebhookStatus;
  attempts: number;
  lastError: string | null;
  receivedAt: Date;
}

/** Far more than one person's deliveries of the days for which payloads are kept. */
const DELIVERIES_SEEN = 1_000;

/** Deliveries that name one of these ids, as long as their payload is kept: those that weren't processed, then the newest. */
export function listDeliveriesWith(
  { ids, limit }: { ids: string[]; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<UserDelivery[]> {
  return db.$transaction(async (transaction) => {
    // The planner doesn't know how rare an id is, and would read millions of rows for a few.
    await transaction.$executeRaw`SET LOCAL enable_seqscan = off`;
    return transaction.$queryRaw<UserDelivery[]>`
      WITH named AS MATERIALIZED (
        SELECT id, provider, event_type, status, attempts, last_error, received_at
        FROM webhook_inbox WHERE names && ${ids}::text[] LIMIT ${DELIVERIES_SEEN})
      SELECT id, provider, event_type AS "eventType", status::text AS status, attempts,
        last_error AS "lastError", received_at AS "receivedAt"
      FROM named ORDER BY status = 'processed', received_at DESC LIMIT ${limit}`;
  });
}
