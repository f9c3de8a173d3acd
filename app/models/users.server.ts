import { type DatabaseOrTransaction, getDb } from "~/db.server";

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
