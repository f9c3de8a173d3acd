import { type Database, getDb, type Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { lockLinkOwner, spendLink } from "~/models/accounts/verification-tokens.server";
import { grantCredits } from "~/models/credits/grants.server";

/**
 * Notes that the account's address is its owner's and gives a new account its `SIGNUP_CREDITS`: once,
 * with the change from unverified to verified. Again, it does nothing. Belongs into a transaction.
 */
export async function markEmailVerified(userId: string, transaction: Transaction): Promise<void> {
  const changed = await transaction.$executeRaw`
    UPDATE users SET email_verified_at = now()
    WHERE id = ${userId}::uuid AND email_verified_at IS NULL`;
  const amount = getEnv().signupCredits;
  if (changed === 0 || amount === 0) return;
  await grantCredits({ userId, amount, source: `signup:${userId}`, expiresAt: null }, transaction);
}

export type VerificationResult = { status: "verified" } | { status: "invalid_link" };

/** Follows the link of a verification mail. A second time it answers the same and changes nothing. */
export function verifyEmail(token: string, db: Database = getDb()): Promise<VerificationResult> {
  // Read committed: the lock on the account makes two clicks take turns, and the later one finds
  // the link used and the address verified.
  return db.$transaction(async (transaction) => {
    const link = { token, purpose: "verify_email" } as const;
    const userId = await lockLinkOwner(link, transaction);
    if (!userId || (await spendLink(link, transaction)) === "invalid")
      return { status: "invalid_link" };
    await markEmailVerified(userId, transaction);
    return { status: "verified" };
  });
}
