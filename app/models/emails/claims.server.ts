import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { EmailData, EmailKind } from "~/models/emails/email-kinds";
import { addJobs } from "~/models/jobs/add-job.server";

/**
 * Minutes to wait after the first, second, … failed attempt. After the last one the email is given up:
 * twelve attempts over about three days.
 */
const WAITS = [1, 5, 15, 60, 180, 360, 360, 720, 720, 720, 720];
const MAX_ATTEMPTS = WAITS.length + 1;
/** Attempts at a recipient that the mail server refuses for good; a mistake of the server's may end. */
const MAX_REFUSALS = 3;
/** Longer than the mail server may take for one email. */
const LEASE_MINUTES = 5;

interface EmailRow {
  /** Also the email's `Message-ID`, the same at each attempt. */
  id: string;
  /** Null if the account's row is gone. */
  userId: string | null;
  recipient: string;
  locale: string;
  createdAt: Date;
  ageHours: number;
  /** Attempts including this one. Also the claim's fencing token. */
  attempts: number;
}

/** An email that this process alone may send now. */
export type ClaimedEmail = {
  [Kind in EmailKind]: EmailRow & { kind: Kind; data: EmailData[Kind] };
}[EmailKind];

/** The right to write how an attempt ended. It ends with the next claim. */
type Claim = Pick<ClaimedEmail, "id" | "attempts">;

const CLAIM = Prisma.sql`
  UPDATE outbox_emails SET attempts = attempts + 1,
    lease_until = now() + make_interval(mins => ${LEASE_MINUTES})`;

/** SQL: an email that may be sent now. */
export const IS_DUE = Prisma.sql`
  next_attempt_at <= now() AND (lease_until > now()) IS NOT TRUE AND attempts < ${MAX_ATTEMPTS}`;

const CLAIMED = Prisma.sql`
  id, user_id AS "userId", kind, recipient, locale, data, created_at AS "createdAt",
  extract(epoch FROM now() - created_at)::float8 / 3600 AS "ageHours", attempts`;

/**
 * Claims the email that has been due longest, or returns null. One statement decides, so of any number
 * of processes one gets it. A claim whose process died ends after five minutes.
 */
export async function claimDueEmail(
  db: DatabaseOrTransaction = getDb(),
): Promise<ClaimedEmail | null> {
  const [email] = await db.$queryRaw<ClaimedEmail[]>`
    ${CLAIM}
    WHERE id = (
      SELECT id FROM outbox_emails WHERE ${IS_DUE}
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING ${CLAIMED}`;
  return email ?? null;
}

/** Claims this email, if it is due, in the same way. */
export async function claimEmail(
  emailId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<ClaimedEmail | null> {
  const [email] = await db.$queryRaw<ClaimedEmail[]>`
    ${CLAIM} WHERE id = ${emailId}::uuid AND ${IS_DUE} RETURNING ${CLAIMED}`;
  return email ?? null;
}

/**
 * If another process has the email, adds a job for when its claim ends: the process may have died, and the engine
 * gives its job to another one long before.
 */
export async function awaitClaim(emailId: string, db: Database = getDb()): Promise<void> {
  await db.$transaction(async (transaction) => {
    const [claim] = await transaction.$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM lease_until - now())::float8 AS seconds FROM outbox_emails
      WHERE id = ${emailId}::uuid AND next_attempt_at IS NOT NULL AND lease_until > now()`;
    if (claim)
      await addJobs("emails", [{ data: { emailId }, startAfter: claim.seconds + 1 }], transaction);
  });
}

/**
 * Whether the claimed email is still to be sent, and if so, holds it until the transaction ends: whoever
 * removes it meanwhile waits.
 */
export async function holdClaim(
  { id, attempts }: Claim,
  transaction: Transaction,
): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM outbox_emails
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND sent_at IS NULL FOR SHARE`;
  return rows.length === 1;
}

/** Records that the mail server took the email. */
export async function markSent(
  { id, attempts }: Claim,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE outbox_emails SET sent_at = clock_timestamp(), next_attempt_at = NULL,
      lease_until = NULL, last_error = NULL
    WHERE id = ${id}::uuid AND attempts = ${attempts}`;
}

/** Removes the email, with the address that it went to. */
export async function removeEmail(
  { id }: Pick<ClaimedEmail, "id">,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.outboxEmail.deleteMany({ where: { id } });
}

/**
 * Records a failed attempt, and has the email tried again after a wait. Returns whether it is given up now.
 * `error` must not contain an address.
 */
export async function releaseEmail(
  { id: emailId, attempts, error, isRefused }: Claim & { error: string; isRefused: boolean },
  db: Database = getDb(),
): Promise<boolean> {
  const wait = isRefused && attempts >= MAX_REFUSALS ? undefined : WAITS[attempts - 1];
  await db.$transaction(async (transaction) => {
    const released = await transaction.$executeRaw`
      UPDATE outbox_emails SET lease_until = NULL, last_error = ${error.slice(0, 500)},
        next_attempt_at = now() + make_interval(mins => ${wait ?? null}::int)
      WHERE id = ${emailId}::uuid AND attempts = ${attempts} AND sent_at IS NULL`;
    if (released === 1 && wait !== undefined)
      await addJobs("emails", [{ data: { emailId }, startAfter: wait * 60 }], transaction);
  });
  return wait === undefined;
}

/** Ends the email unsent, for good. */
export async function dropEmail(
  { id, attempts, reason }: Claim & { reason: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.outboxEmail.updateMany({
    where: { id, attempts, sentAt: null },
    data: { leaseUntil: null, nextAttemptAt: null, lastError: reason },
  });
}

/**
 * Gives up emails whose last attempt ended with its process: they may be what ended it. Returns their
 * ids.
 */
export async function giveUpAbandoned(db: DatabaseOrTransaction = getDb()): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE outbox_emails SET next_attempt_at = NULL, lease_until = NULL,
      last_error = coalesce(last_error, 'the process ended during the last attempt')
    WHERE attempts >= ${MAX_ATTEMPTS} AND next_attempt_at <= now()
      AND (lease_until > now()) IS NOT TRUE
    RETURNING id`;
  return rows.map(({ id }) => id);
}
