import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { DEFAULT_LOCALE, isLocale, type Locale } from "~/i18n/locale";
import { isOptionalEmail, type OptionalEmail } from "~/models/emails/email-kinds";

/** The kinds of email that the person turned off. */
export async function listMutedEmails(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OptionalEmail[]> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { mutedEmails: true } });
  return user?.mutedEmails.filter(isOptionalEmail) ?? [];
}

/** The language in which we write to the person. */
export async function getEmailLocale(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Locale> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { locale: true } });
  return isLocale(user?.locale) ? user.locale : DEFAULT_LOCALE;
}

/** Turns these kinds of email off, and all others on. Unsent emails of these kinds are removed. */
export async function setMutedEmails(
  { userId, kinds }: { userId: string; kinds: OptionalEmail[] },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    WITH muted AS (
      UPDATE users SET muted_emails = ${kinds}::text[] WHERE id = ${userId}::uuid RETURNING id)
    DELETE FROM outbox_emails USING muted
    WHERE user_id = muted.id AND kind = ANY (${kinds}::text[]) AND sent_at IS NULL`;
}

/** Turns one kind of email off. Returns whether the account exists. */
export async function muteEmail(
  { userId, kind }: { userId: string; kind: OptionalEmail },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH muted AS (
      UPDATE users SET muted_emails = array_append(array_remove(muted_emails, ${kind}), ${kind})
      WHERE id = ${userId}::uuid RETURNING id),
    removed AS (
      DELETE FROM outbox_emails USING muted
      WHERE user_id = muted.id AND kind = ${kind} AND sent_at IS NULL)
    SELECT id FROM muted`;
  return rows.length > 0;
}

/** Turns one kind of email on again. */
export async function unmuteEmail(
  { userId, kind }: { userId: string; kind: OptionalEmail },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE users SET muted_emails = array_remove(muted_emails, ${kind}) WHERE id = ${userId}::uuid`;
}
