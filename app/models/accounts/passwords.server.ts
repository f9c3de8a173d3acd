import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { markEmailVerified } from "~/models/accounts/email-verification.server";
import { endSessions, rotateSession } from "~/models/accounts/sessions.server";
import { lockLinkOwner, spendLink, voidLinks } from "~/models/accounts/verification-tokens.server";

export type ResetResult =
  /** `verified`: the address was not verified before. */
  { status: "reset"; userId: string; verified: boolean } | { status: "invalid_link" };

/**
 * Sets the password of the account that a reset link was sent to, once a link; ends all its sessions
 * and voids its other links. Whoever has the link reads the account's mail, so the address is verified.
 */
export function resetPassword(
  { token, passwordHash }: { token: string; passwordHash: string },
  db: Database = getDb(),
): Promise<ResetResult> {
  // Read committed: the lock on the account makes links of one account take turns, and what decides
  // is the conditional write that uses the link up.
  return db.$transaction(async (transaction) => {
    const link = { token, purpose: "reset_password" } as const;
    const userId = await lockLinkOwner(link, transaction);
    if (!userId || (await spendLink(link, transaction)) !== "used")
      return { status: "invalid_link" };
    await transaction.user.update({
      where: { id: userId },
      data: { passwordHash },
      select: { id: true },
    });
    await endSessions({ userId }, transaction);
    await voidLinks({ userId, purpose: "reset_password" }, transaction);
    const verified = await markEmailVerified(userId, transaction);
    return { status: "reset", userId, verified };
  });
}

/** The hash of the user's password; null for an account without one. */
export async function getPasswordHash(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  return user?.passwordHash ?? null;
}

export type ChangeResult =
  /** `token` is the session's new one; null if it was ended meanwhile. */
  { status: "changed"; token: string | null } | { status: "changed_meanwhile" };

/**
 * Replaces the password that was just checked; gives the session at hand a new token, ends all others
 * and voids reset links. If the password was replaced since the check, nothing is done.
 */
export function changePassword(
  change: { userId: string; sessionId: string; checkedHash: string; passwordHash: string },
  db: Database = getDb(),
): Promise<ChangeResult> {
  const { userId, sessionId, checkedHash, passwordHash } = change;
  // Read committed: the conditional write decides, and holds the account against a reset meanwhile.
  return db.$transaction(async (transaction) => {
    const { count } = await transaction.user.updateMany({
      where: { id: userId, passwordHash: checkedHash },
      data: { passwordHash },
    });
    if (count === 0) return { status: "changed_meanwhile" };
    await endSessions({ userId, except: sessionId }, transaction);
    const token = await rotateSession(sessionId, transaction);
    await voidLinks({ userId, purpose: "reset_password" }, transaction);
    return { status: "changed", token };
  });
}

/**
 * Replaces the hash that a password was just checked against by another hash of the same password.
 * Returns false, and changes nothing, if the account has another hash by now.
 */
export async function replaceCheckedHash(
  change: { userId: string; checkedHash: string; passwordHash: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const { userId, checkedHash, passwordHash } = change;
  const { count } = await db.user.updateMany({
    where: { id: userId, passwordHash: checkedHash },
    data: { passwordHash },
  });
  return count === 1;
}
