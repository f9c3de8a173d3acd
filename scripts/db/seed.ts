import { closeDb } from "~/db.server";
import { createUser } from "~/models/users.server";
import { hashPassword } from "~/services/auth/password.server";

export const DEMO = { email: "demo@example.com", password: "demo-password-1234" };

/** Creates the demo account unless it exists. For local use only: its password is in the source. */
export async function seedDemoUser(): Promise<typeof DEMO> {
  try {
    const passwordHash = await hashPassword(DEMO.password);
    await createUser({ email: DEMO.email, passwordHash, locale: "en" });
    return DEMO;
  } finally {
    await closeDb();
  }
}
