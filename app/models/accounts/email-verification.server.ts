import { type Database, getDb, type Transaction } from "~/db.server";
import { grantSignupCredits } from "~/models/accounts/signup-credits.server";
import {
  findLink,
  findLinkAccount,
  lockLinkOwner,
  spendLink,
} from "~/models/accounts/verification-tokens.server";

/**
 * Marks the account's address as verified, lets a held account be used, and grants a new account its
 * `SIGNUP_CREDITS`, all once.
 * Returns whether this call verified the address; calling again does nothing. Must run inside a
 * transaction.
 */
export async function markEmailVerified(
  userId: string,
  transaction: Transaction,
): Promise<boolean> {
  const [verified] = await transaction.$queryRaw<{ email: string }[]>`
    UPDATE users SET email_verified_at = now(), held_for_email = false
    WHERE id = ${userId}::uuid AND email_verified_at IS NULL
    RETURNING email`;
  if (!verified) return false;
  await grantSignupCredits({ userId, email: verified.email }, transaction);
  return true;
}

/** The held account that a working verification link was sent to; null for any other. */
export async function findHeldAccount(
  token: string,
  db?: Transaction,
): Promise<{ userId: string; email: string } | null> {
  const account = await findLinkAccount({ token, purpose: "verify_email" }, db);
  return account?.held ? account : null;
}

/** The owner of a verification link, and whether the link still works. */
export function findVerificationLink(token: string, db?: Transaction) {
  return findLink({ token, purpose: "verify_email" }, db);
}

export type VerificationResult =
  /** `changed` is false when the address was verified before. */
  { status: "verified"; changed: boolean } | { status: "invalid_link" } | { status: "not_owner" };

/**
 * Verifies the user's address with the link that was mailed to them. A link of another account is left
 * unused: somebody may sign up with a stranger's address, and the stranger who follows the link must
 * not verify an account whose password they do not know.
 */
export function verifyEmail(
  { token, userId }: { token: string; userId: string },
  db: Database = getDb(),
): Promise<VerificationResult> {
  // Read committed: two clicks take turns at the account's lock. The later one finds the link used and
  // the address verified.
  return db.$transaction(async (transaction) => {
    const link = { token, purpose: "verify_email" } as const;
    const ownerId = await lockLinkOwner(link, transaction);
    if (!ownerId) return { status: "invalid_link" };
    if (ownerId !== userId) return { status: "not_owner" };
    if ((await spendLink(link, transaction)) === "invalid") return { status: "invalid_link" };
    return { status: "verified", changed: await markEmailVerified(userId, transaction) };
  });
}
