import type { DatabaseOrTransaction, Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import { type EmailData, type EmailKind, LIMITED_EMAILS } from "~/models/emails/email-kinds";
import { addJobs } from "~/models/jobs/add-job.server";
import { IS_TOMBSTONE } from "~/models/tombstones.server";

export interface NewEmail<Kind extends EmailKind> {
  kind: Kind;
  userId: string;
  data: EmailData[Kind];
  /** Where to; by default the account's present address. */
  recipient?: string;
  /**
   * Names the fact, once for all events and requests that tell of it: two emails of one key are one email,
   * `credits_expiring:<lot id>`. Null for what a person asks for again and again, as a link.
   */
  key: string | null;
}

const MAX_PER_HOUR = 10;

/** SQL: whether a row of `users` gets emails of this kind: it is no deleted account, and did not turn them off. */
function wantsEmail(kind: EmailKind): Prisma.Sql {
  return Prisma.sql`
    NOT ${kind}::text = ANY (muted_emails)
    AND NOT ${IS_TOMBSTONE}`;
}

/**
 * Puts an email in the outbox, to be sent once the transaction has committed: at least once, by a job, or
 * by maintenance. Does nothing while email is off, for a deleted account, for a kind that the
 * person turned off, and for the eleventh notice of a limited kind within an hour.
 */
export async function queueEmail<Kind extends EmailKind>(
  { kind, userId, data, recipient, key }: NewEmail<Kind>,
  transaction: Transaction,
): Promise<void> {
  const { email, rateLimitScale } = getEnv();
  if (email === null) return;
  const isLimited = LIMITED_EMAILS.includes(kind);
  const queued = await transaction.$queryRaw<{ emailId: string }[]>`
    INSERT INTO outbox_emails (user_id, kind, key, recipient, locale, data)
    SELECT id, ${kind}, ${key}, coalesce(${recipient ?? null}, email), locale,
           ${JSON.stringify(data)}::jsonb
    FROM users WHERE id = ${userId}::uuid AND ${wantsEmail(kind)}
      AND NOT (${isLimited} AND ${MAX_PER_HOUR * rateLimitScale} <= (
        SELECT count(*) FROM outbox_emails
        WHERE user_id = ${userId}::uuid AND kind = ${kind} AND created_at > now() - interval '1 hour'))
    ON CONFLICT (key) DO NOTHING
    RETURNING id AS "emailId"`;
  await addJobs(
    "emails",
    queued.map((data) => ({ data })),
    transaction,
  );
}

/** Removes a person's unsent emails of these kinds: a newer one takes their place, or they are obsolete. */
export async function removeUnsent(
  { userId, kinds }: { userId: string; kinds: readonly EmailKind[] },
  db: DatabaseOrTransaction,
): Promise<void> {
  await db.outboxEmail.deleteMany({ where: { userId, kind: { in: [...kinds] }, sentAt: null } });
}

/** Removes all of a person's emails, sent or not, with the addresses they went to. */
export async function removeEmails(userId: string, db: DatabaseOrTransaction): Promise<void> {
  await db.outboxEmail.deleteMany({ where: { userId } });
}
