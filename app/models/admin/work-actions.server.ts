import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { withAudit } from "~/models/audit/audit-log.server";
import { retryEmails } from "~/models/emails/listing.server";
import { cancelJob, retryJobs } from "~/models/jobs/listing.server";

// Operators' actions on emails and jobs, each with its row of the audit log.

interface OnWork {
  actor: string;
  /** The email or job. */
  id: string;
}

/** Makes an unsent email due. Returns false if there is none, or if it is being sent. */
export function retryEmail(
  { actor, id }: OnWork,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return withAudit(async (transaction) => {
    const isDue = (await retryEmails({ id }, transaction)) > 0;
    if (!isDue) return { result: false, entry: null };
    const email = await transaction.outboxEmail.findUnique({ where: { id } });
    const row = { actor, subjectUserId: email?.userId, subject: `email:${id}` };
    return { result: true, entry: { ...row, action: "email_retried" } };
  }, db);
}

/** Makes all unsent emails of the last three days due, and returns how many. */
export function retryAllEmails(
  { actor }: { actor: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return withAudit(async (transaction) => {
    const count = await retryEmails({ id: null }, transaction);
    const entry = { actor, action: "emails_retried", after: { count } } as const;
    return { result: count, entry: count > 0 ? entry : null };
  }, db);
}

/** Has a job done again, as `retryJobs` does. Returns false if it can't be. */
export function retryJob(
  { actor, id }: OnWork,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return withAudit(async (transaction) => {
    const isDue = (await retryJobs({ id }, transaction)) > 0;
    if (!isDue) return { result: false, entry: null };
    const row = { actor, subjectUserId: await ownerOfJob(id, transaction), subject: `job:${id}` };
    return { result: true, entry: { ...row, action: "job_retried" } };
  }, db);
}

/** Has all failed jobs done again, and returns how many. */
export function retryFailedJobs(
  { actor }: { actor: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return withAudit(async (transaction) => {
    const count = await retryJobs({ id: null }, transaction);
    const entry = { actor, action: "jobs_retried", after: { count } } as const;
    return { result: count, entry: count > 0 ? entry : null };
  }, db);
}

/** Cancels a job that waits. Returns false if there is none. */
export function dropJob(
  { actor, id }: OnWork,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return withAudit(async (transaction) => {
    if (!(await cancelJob(id, transaction))) return { result: false, entry: null };
    const row = { actor, subjectUserId: await ownerOfJob(id, transaction), subject: `job:${id}` };
    return { result: true, entry: { ...row, action: "job_dropped" } };
  }, db);
}

/** The person whose run, email or file a job is about; null if it is none of these. */
export async function ownerOfJob(id: string, db: DatabaseOrTransaction): Promise<string | null> {
  const [row] = await db.$queryRaw<{ userId: string | null }[]>`
    SELECT coalesce(
      (SELECT account_id FROM metered_runs WHERE id = (job.data->>'runId')::uuid),
      (SELECT user_id FROM outbox_emails WHERE id = (job.data->>'emailId')::uuid),
      (SELECT user_id FROM files WHERE id = (job.data->>'fileId')::uuid)) AS "userId"
    FROM pgboss.job WHERE id = ${id}::uuid`;
  return row?.userId ?? null;
}
