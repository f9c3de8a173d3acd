import { type Database, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { frameFor } from "~/models/email-delivery/contents/pen.server";
import { createUnsubscribeToken } from "~/models/email-delivery/unsubscribe-token.server";
import { writeEmail } from "~/models/email-delivery/write-email.server";
import {
  awaitClaim,
  type ClaimedEmail,
  claimDueEmail,
  claimEmail,
  dropEmail,
  giveUpAbandoned,
  markSent,
  releaseEmail,
  removeEmail,
} from "~/models/emails/claims.server";
import { isOptionalEmail, type OptionalEmail } from "~/models/emails/email-kinds";
import { type Email, EmailFailure, type EmailSender } from "~/services/emails/email-sender.server";
import { renderHtml } from "~/services/emails/render-html.server";
import { renderText } from "~/services/emails/render-text";
import { getEmailSender } from "~/services/emails/smtp-sender.server";
import { log } from "~/utils/logger.server";

/**
 * Sends emails that are due, one after the other, longest waiting first, and returns how many the mail
 * server took. Safe to run in parallel with itself, in any number of processes. Ends early once the mail
 * server takes nothing: the rest waits for the next run.
 */
export async function sendDueEmails(
  { limit }: { limit: number },
  db: Database = getDb(),
): Promise<number> {
  const sender = getEmailSender();
  if (!sender) return 0;
  for (const emailId of await giveUpAbandoned(db)) logGivenUp(emailId);
  let sent = 0;
  for (let tried = 0; tried < limit; tried += 1) {
    const email = await claimDueEmail(db);
    if (!email) break;
    const outcome = await deliver(email, sender, db);
    if (outcome === "sent") sent += 1;
    if (outcome === "unreachable") break;
  }
  return sent;
}

/** Sends this email, if it is due and no other process has it. */
export async function sendEmail(
  { emailId }: { emailId: string },
  db: Database = getDb(),
): Promise<void> {
  const sender = getEmailSender();
  if (!sender) return;
  const email = await claimEmail(emailId, db);
  if (email) await deliver(email, sender, db);
  else await awaitClaim(emailId, db);
}

type Outcome = "sent" | "dropped" | "failed" | "unreachable";

async function deliver(email: ClaimedEmail, sender: EmailSender, db: Database): Promise<Outcome> {
  const { id: emailId, kind, userId } = email;
  const facts = { emailId, kind, userId };
  try {
    const written = await writeEmail(email, db);
    if (written.status === "obsolete") {
      const { reason } = written;
      log().info({ ...facts, reason }, "an email was not sent: its matter is over");
      if (kind === "account_deleted") await removeEmail(email, db);
      else await dropEmail({ ...email, reason: `not sent: ${reason}` }, db);
      return "dropped";
    }
    await sender.send(renderEmail(email, written));
  } catch (error) {
    const failure = error instanceof EmailFailure ? error : null;
    const attempt = { ...facts, attempts: email.attempts };
    log().warn({ ...attempt, err: error }, "an email was not sent; it will be tried again");
    const isRefused = failure?.kind === "refused";
    // Another error may quote what it was about; the log, which is redacted, has it.
    const message = failure?.message ?? "it could not be written";
    if (await releaseEmail({ ...email, error: message, isRefused }, db)) {
      logGivenUp(emailId);
      if (kind === "account_deleted") await removeEmail(email, db);
    }
    return failure?.kind === "unreachable" ? "unreachable" : "failed";
  }
  // A deleted account has no address.
  if (kind === "account_deleted") await removeEmail(email, db);
  else await markSent(email, db);
  log().info(facts, "email sent");
  return "sent";
}

function logGivenUp(emailId: string): void {
  log().error({ emailId }, "an email was given up: npm run emails -- list shows why");
}

function renderEmail(
  { id, kind, userId, recipient }: ClaimedEmail,
  { content, pen }: Extract<Awaited<ReturnType<typeof writeEmail>>, { status: "written" }>,
): Email {
  const unsubscribeUrl = userId && isOptionalEmail(kind) ? unsubscribePage({ userId, kind }) : null;
  const frame = frameFor(pen, unsubscribeUrl);
  return {
    to: recipient,
    subject: content.subject,
    text: renderText(content, frame),
    html: renderHtml(content, frame),
    messageId: `<${id}@${getEnv().siteUrl.hostname}>`,
    unsubscribeUrl,
  };
}

function unsubscribePage(choice: { userId: string; kind: OptionalEmail }): string {
  const query = new URLSearchParams({ token: createUnsubscribeToken(choice) });
  return new URL(`/unsubscribe?${query}`, getEnv().siteUrl).href;
}
