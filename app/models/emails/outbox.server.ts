import type { Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import type { EmailData, EmailKind } from "~/models/emails/email-kinds";

export interface NewEmail<Kind extends EmailKind> {
  kind: Kind;
  userId: string;
  data: EmailData[Kind];
  /** Where to; by default the account's present address. */
  recipient?: string;
  /** Two mails of one key are one mail: `credits_expiring:<lot id>`. */
  key?: string;
}

/**
 * Puts a mail in the outbox, to be sent once the transaction has committed: at least once, by the server
 * or by maintenance. Does nothing while email is off, and for a kind that the person turned off.
 */
export async function queueEmail<Kind extends EmailKind>(
  { kind, userId, data, recipient, key }: NewEmail<Kind>,
  transaction: Transaction,
): Promise<void> {
  if (getEnv().email === null) return;
  await transaction.$executeRaw`
    INSERT INTO outbox_emails (user_id, kind, key, recipient, locale, data)
    SELECT id, ${kind}, ${key ?? null}, coalesce(${recipient ?? null}, email), locale,
           ${JSON.stringify(data)}::jsonb
    FROM users WHERE id = ${userId}::uuid AND NOT ${kind} = ANY (muted_emails)
    ON CONFLICT (key) DO NOTHING`;
}
