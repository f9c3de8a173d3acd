import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { addJobs } from "~/models/jobs/add-job.server";

export const EMAIL_STATES = ["waiting", "sent", "given-up"] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** An email as operators see it: without its recipient. */
export interface StoredEmail {
  id: string;
  userId: string | null;
  kind: string;
  state: EmailState;
  attempts: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
  sentAt: Date | null;
  lastError: string | null;
}

/** The newest emails in the outbox. */
export function listEmails(
  { state, limit }: { state: EmailState | null; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<StoredEmail[]> {
  return db.$queryRaw`
    SELECT * FROM (
      SELECT id, user_id AS "userId", kind, attempts, created_at AS "createdAt",
        next_attempt_at AS "nextAttemptAt", sent_at AS "sentAt", last_error AS "lastError",
        CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN next_attempt_at IS NULL THEN 'given-up'
          ELSE 'waiting' END AS state
      FROM outbox_emails) AS emails
    WHERE ${state}::text IS NULL OR state = ${state}
    ORDER BY "createdAt" DESC LIMIT ${limit}`;
}

/**
 * Makes unsent emails due now, with all their attempts again: one, or all that wait or were given up
 * within the last three days. Those being sent are left alone. Returns how many.
 */
export function retryEmails(
  { id }: { id: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$transaction(async (transaction) => {
    const due = await transaction.$queryRaw<{ emailId: string }[]>`
    UPDATE outbox_emails SET next_attempt_at = now(), attempts = 0, lease_until = NULL
    WHERE sent_at IS NULL AND (lease_until > now()) IS NOT TRUE
      AND (id = ${id}::uuid OR (${id}::uuid IS NULL AND created_at > now() - interval '3 days'))
    RETURNING id AS "emailId"`;
    return addJobs(
      "emails",
      due.map((data) => ({ data })),
      transaction,
    );
  });
}
