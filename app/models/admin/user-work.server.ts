import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { StoredEmail } from "~/models/emails/listing.server";
import type { StoredJob } from "~/models/jobs/listing.server";
import type { WebhookStatus } from "~/models/webhooks/listing.server";

/** The newest emails to a person, without their text. */
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
    ORDER BY created_at DESC LIMIT ${limit}`;
}

export type UserJob = Pick<
  StoredJob,
  "id" | "name" | "state" | "attempts" | "createdAt" | "endedAt" | "error"
>;

/** The newest jobs about a person's newest runs, emails and files. */
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
      (SELECT id FROM files WHERE user_id = ${userId}::uuid ORDER BY created_at DESC LIMIT 100))
    SELECT job.id, name, state::text AS state, created_on AS "createdAt", completed_on AS "endedAt",
      retry_count + (started_on IS NOT NULL)::int AS attempts,
      coalesce(output->>'message', output->'value'->>'message', output->>'value') AS error
    FROM pgboss.job JOIN things
      ON things.id::text = coalesce(data->>'runId', data->>'emailId', data->>'fileId')
    ORDER BY created_on DESC LIMIT ${limit}`;
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

/** The newest deliveries of the last 30 days whose payload has one of these ids. Older payloads are dropped. */
export function listDeliveriesWith(
  { ids, limit }: { ids: string[]; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<UserDelivery[]> {
  return db.$queryRaw`
    SELECT id, provider, event_type AS "eventType", status::text AS status, attempts,
      last_error AS "lastError", received_at AS "receivedAt"
    FROM webhook_inbox
    WHERE payload IS NOT NULL AND received_at > now() - interval '30 days' AND EXISTS (
      SELECT FROM unnest(${ids}::text[]) AS named (id)
      WHERE position(convert_to(named.id, 'UTF8') IN payload) > 0)
    ORDER BY received_at DESC LIMIT ${limit}`;
}
