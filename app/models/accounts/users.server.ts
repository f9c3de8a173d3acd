import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Locale } from "~/i18n/locale";

interface NewUser {
  /** Lower case already, as the schemas make it. */
  email: string;
  passwordHash: string;
  locale: string;
}

export type CreateUserResult = { status: "created"; userId: string } | { status: "email_taken" };

/** Creates an account; the unique key on the address decides, so two sign-ups at once make one. */
export async function createUser(
  { email, passwordHash, locale }: NewUser,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreateUserResult> {
  const [user] = await db.user.createManyAndReturn({
    data: [{ email, passwordHash, locale }],
    skipDuplicates: true,
    select: { id: true },
  });
  return user ? { status: "created", userId: user.id } : { status: "email_taken" };
}

/** What a password sign-in needs to know of an address; null where it has no account. */
export function getCredentials(
  email: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ id: string; passwordHash: string | null } | null> {
  return db.user.findUnique({ where: { email }, select: { id: true, passwordHash: true } });
}

/** What a mail to an account needs to know. */
export interface MailAccount {
  id: string;
  email: string;
  emailVerifiedAt: Date | null;
  locale: string;
}

/** The account of this id or address; null where there is none. */
export function findMailAccount(
  where: { id: string } | { email: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<MailAccount | null> {
  return db.user.findUnique({
    where,
    select: { id: true, email: true, emailVerifiedAt: true, locale: true },
  });
}

/** Changes how the user is called, and the language of mails to them. */
export async function updateProfile(
  { userId, name, locale }: { userId: string; name: string | null; locale: Locale },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { name, locale }, select: { id: true } });
}
