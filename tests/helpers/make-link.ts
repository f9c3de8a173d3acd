import { connectDb } from "~/db.server";
import { createLinkToken, type LinkPurpose } from "~/models/accounts/verification-tokens.server";
import { TEST_AUTH_SECRET } from "./test-server";
import type { ServerUnderTest } from "./with-test-server";

/** Makes the token of a mailed link, as the server does when it sends the mail. */
export async function makeLinkToken(
  app: ServerUnderTest,
  email: string,
  purpose: LinkPurpose,
  sessionId?: string,
): Promise<string> {
  // The stored hash is keyed with the server's secret.
  Object.assign(process.env, {
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    NEXT_PUBLIC_SITE_URL: app.url,
  });
  const db = connectDb(app.databaseUrl);
  try {
    const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
    const userId = user?.id ?? "";
    return await createLinkToken({ userId, purpose, ...(sessionId ? { sessionId } : {}) }, db);
  } finally {
    await db.$disconnect();
  }
}
