import { closeDb, getDb } from "~/db.server";
import { getEnv, isLocalHost } from "~/env.server";
import { DEFAULT_LOCALE } from "~/i18n/locale";
import { markEmailVerified } from "~/models/accounts/email-verification.server";
import { createUser, getCredentials } from "~/models/accounts/users.server";
import { adjustCredits } from "~/models/credits/adjustments.server";
import { hashPassword } from "~/services/auth/password.server";
import { seedUse } from "./seed-use";

const DEMO = { email: "demo@example.com", password: "demo-password-1234" };

type Seeding =
  | { status: "seeded"; email: string; password: string }
  | { status: "refused"; reason: string };

/**
 * Creates the demo account with 500 credits, a verified address, runs and an API key, unless it has them. Its password is in
 * the source, so it refuses, and writes nothing, if the site is public or the database is on another
 * machine.
 */
export async function seedDemoUser(): Promise<Seeding> {
  const { siteUrl, databaseUrl } = getEnv();
  const why = "a demo account there would be open to anyone";
  if (!isLocalHost(siteUrl.hostname)) {
    return { status: "refused", reason: `${siteUrl.host} is a public site; ${why}` };
  }
  if (!isLocalDatabase(databaseUrl)) {
    return {
      status: "refused",
      reason: `the database of DATABASE_URL is not on this machine; ${why}`,
    };
  }
  try {
    const passwordHash = await hashPassword(DEMO.password);
    await createUser({ email: DEMO.email, passwordHash, locale: DEFAULT_LOCALE });
    const demo = await getCredentials(DEMO.email);
    if (demo) {
      const { id: userId } = demo;
      await getDb().$transaction((transaction) => markEmailVerified(userId, transaction));
      const reason = "Demo credits";
      await adjustCredits({ userId, amount: 500, key: `demo:${userId}`, reason });
      // No email reaches this address, and public files need a verified one.
      await getDb().user.updateMany({
        where: { id: userId, emailVerifiedAt: null },
        data: { emailVerifiedAt: new Date() },
      });
      await seedUse(userId);
    }
    return { status: "seeded", ...DEMO };
  } finally {
    await closeDb();
  }
}

/** Finds the host as `pg` does: `?host=` wins, an empty host means PGHOST, and a path is a Unix socket. */
export function isLocalDatabase(
  databaseUrl: string,
  environment: Record<string, string | undefined> = process.env,
): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host =
    searchParams.getAll("host").at(-1) ||
    decodeURIComponent(hostname) ||
    environment.PGHOST ||
    "localhost";
  return host.startsWith("/") || isLocalHost(host);
}
