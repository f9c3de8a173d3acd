import { type Person, signUpWithTotp } from "./factors";
import type { ServerUnderTest } from "./with-test-server";

/** The addresses of ADMIN_EMAILS in tests. */
export const ADMINS = ["admin@example.com", "second-admin@example.com"] as const;

/** Gives a person a verified address, which a server may have in ADMIN_EMAILS. */
export async function giveAddress(app: ServerUnderTest, person: Person, email: string) {
  await app.sql("UPDATE users SET email = $2, email_verified_at = now() WHERE email = $1", [
    person.email,
    email,
  ]);
  return { ...person, email };
}

/** An admin with an authenticator app, who has just proved who they are. */
export const createAdmin = async (app: ServerUnderTest, email: string = ADMINS[0]) =>
  giveAddress(app, await signUpWithTotp(app), email);

/** The id of the account with this address. */
export async function idOf(app: ServerUnderTest, email: string): Promise<string> {
  const [row] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  if (!row) throw new Error(`nobody has the address ${email}`);
  return row.id;
}
