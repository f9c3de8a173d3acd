import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Locale } from "~/i18n/locale";
import { queueLink } from "~/models/accounts/link-emails.server";

interface NewUser {
  /** Already in lower case; the schemas convert it. */
  email: string;
  /** Null for an account that signs in through a provider. */
  passwordHash: string | null;
  name?: string | null;
  locale: string;
  /** Whether nobody can use the account until its mailed link is confirmed. */
  heldForEmail?: boolean;
}

export type CreateUserResult = { status: "created"; userId: string } | { status: "email_taken" };

/** Creates an account. The unique key on the address decides, so two sign-ups at once create one account. */
export async function createUser(
  { email, passwordHash, name = null, locale, heldForEmail = false }: NewUser,
  db: DatabaseOrTransaction = getDb(),
): Promise<CreateUserResult> {
  const [user] = await db.user.createManyAndReturn({
    data: [{ email, passwordHash, name, locale, heldForEmail }],
    skipDuplicates: true,
    select: { id: true },
  });
  return user ? { status: "created", userId: user.id } : { status: "email_taken" };
}

/**
 * Creates an account whose address nobody has proved yet, and queues the link that verifies it, unless
 * `mailsLink` is false. The link's page leads on to `redirectTo`.
 */
export function signUpUser(
  {
    mailsLink,
    redirectTo = null,
    ...user
  }: NewUser & { mailsLink: boolean; redirectTo?: string | null },
  db: Database = getDb(),
): Promise<CreateUserResult> {
  return db.$transaction(async (transaction) => {
    const result = await createUser(user, transaction);
    if (result.status === "created" && mailsLink)
      await queueLink(
        { kind: "verify_email", userId: result.userId, data: { redirectTo } },
        transaction,
      );
    return result;
  });
}

/** The data a password sign-in needs; null if the address has no account. */
export function getCredentials(
  email: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ id: string; passwordHash: string | null } | null> {
  return db.user.findUnique({ where: { email }, select: { id: true, passwordHash: true } });
}

/** The data needed to send mail to an account. */
export interface EmailAccount {
  id: string;
  email: string;
  emailVerifiedAt: Date | null;
  locale: string;
}

/** The account with this id or address; null if there is none. */
export function findEmailAccount(
  where: { id: string } | { email: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<EmailAccount | null> {
  return db.user.findUnique({
    where,
    select: { id: true, email: true, emailVerifiedAt: true, locale: true },
  });
}

/** Changes the user's name and the language of their mails. */
export async function updateProfile(
  { userId, name, locale }: { userId: string; name: string | null; locale: Locale },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { name, locale }, select: { id: true } });
}
