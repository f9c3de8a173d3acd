import { closeDb } from "~/db.server";
import { adjustCredits } from "~/models/credit-adjustments.server";
import { createUser, getCredentials } from "~/models/users.server";
import { hashPassword } from "~/services/auth/password.server";

export const DEMO = { email: "demo@example.com", password: "demo-password-1234" };

/** Creates the demo account with 500 credits, unless it exists. For local use only: its password is in the source. */
export async function seedDemoUser(): Promise<typeof DEMO> {
  try {
    const passwordHash = await hashPassword(DEMO.password);
    await createUser({ email: DEMO.email, passwordHash, locale: "en" });
    const demo = await getCredentials(DEMO.email);
    if (demo) {
      const { id: userId } = demo;
      const reason = "Demo credits";
      await adjustCredits({ userId, amount: 500, key: `demo:${userId}`, reason });
    }
    return DEMO;
  } finally {
    await closeDb();
  }
}
