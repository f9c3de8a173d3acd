import type { Database, DatabaseOrTransaction } from "~/db.server";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the id of the user with this email address, ignoring case, or with this id; null if there is none. */
export async function findUserId(
  reference: string,
  db: DatabaseOrTransaction,
): Promise<string | null> {
  const user = await db.user.findUnique({
    where: UUID.test(reference) ? { id: reference } : { email: reference.toLowerCase() },
    select: { id: true },
  });
  return user?.id ?? null;
}

/**
 * Returns the id of the user with this email address, ignoring case, or with this id, as `ledger verify`
 * prints it. Throws if there is none.
 */
export async function requireUserId(reference: string, db: Database): Promise<string> {
  const userId = await findUserId(reference, db);
  if (userId) return userId;
  throw new Error(`no user has the ${UUID.test(reference) ? "id" : "email address"} ${reference}`);
}
