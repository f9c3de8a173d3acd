import type { Database } from "~/db.server";

/** Returns the id of the user with this email address, ignoring case. Throws if there is none. */
export async function requireUserId(email: string, db: Database): Promise<string> {
  const user = await db.user.findUnique({
    where: { email: email.toLowerCase() },
    select: { id: true },
  });
  if (!user) throw new Error(`no user has the email address ${email}`);
  return user.id;
}
