import { type Database, getDb, type Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { findLink, lockLinkOwner, spendLink } from "~/models/accounts/verification-tokens.server";
import { grantCredits } from "~/models/credits/grants.server";

/**
 * Notes that the account's address is its owner's and gives a new account its `SIGNUP_CREDITS`: once,
 * with the change from unverified to verified. Returns whether it made that change; again, it does
 * nothing. Belongs into a transaction.
 */
export async function markEmailVerified(
  userId: string,
  transaction: Transaction,
): Promise<boolean> {
  const changed = await transaction.$executeRaw`
    UPDATE users SET email_verified_at = now()
    WHERE id = ${userId}::uuid AND email_verified_at IS NULL`;
  const amount = getEnv().signupCredits;
  if (changed > 0 && amount > 0) {
    const source = `signup:${userId}`;
    await grantCredits({ userId, amount, source, expiresAt: null }, transaction);
  }
  return changed > 0;
}

/** Whose verification link it is, and whether it would still do something. */
export function findVerificationLink(token: string, db?: Transaction) {
  return findLink({ token, purpose: "verify_email" }, db);
}

export type VerificationResult =
  /** `changed` is false when the address was verified before. */
  { status: "verified"; changed: boolean } | { status: "invalid_link" } | { status: "not_owner" };

/**
 * Verifies the user's address by the link they were mailed. A link of another account is left as it
 * is: the mailbox's owner may follow a link that somebody else's sign-up sent, and must not thereby
 * verify an account whose password they do not know.
 */
export function verifyEmail(
  { token, userId }: { token: string; userId: string },
  db: Database = getDb(),
): Promise<VerificationResult> {
  // Read committed: the lock on the account makes two clicks take turns, and the later one finds
  // the link used and the address verified.
  return db.$transaction(async (transaction) => {
    const link = { token, purpose: "verify_email" } as const;
    const ownerId = await lockLinkOwner(link, transaction);
    if (!ownerId) return { status: "invalid_link" };
    if (ownerId !== userId) return { status: "not_owner" };
    if ((await spendLink(link, transaction)) === "invalid") return { status: "invalid_link" };
    return { status: "verified", changed: await markEmailVerified(userId, transaction) };
  });
}
