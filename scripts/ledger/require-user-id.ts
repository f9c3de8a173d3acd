import type { Database } from "~/db.server";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the id of the user with this email address, ignoring case, or with this id, as `ledger verify`
 * prints it. Throws if there is none.
 */
export async function requireUserId(reference: string, db: Database): Promise<string> {
  const isId = UUID.test(reference);
  const user = await db.user.findUnique({
    where: isId ? { id: reference } : { email: reference.toLowerCase() },
    select: { id: true },
  });
  if (!user) throw new Error(`no user has the ${isId ? "id" : "email address"} ${reference}`);
  return user.id;
}
