import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { markEmailVerified } from "~/models/accounts/email-verification.server";
import { noteFactorChange } from "~/models/accounts/factor-changes.server";
import { endSessions, rotateSession } from "~/models/accounts/sessions.server";
import { lockSignInMethods } from "~/models/accounts/sign-in-methods.server";
import { dropUnverifiedSignInMethods } from "~/models/accounts/unverified-sign-in-methods.server";
import { lockLinkOwner, spendLink, voidLinks } from "~/models/accounts/verification-tokens.server";
import { queueEmail } from "~/models/emails/outbox.server";

export type ResetResult =
  /** `verified`: the address was not verified before. */
  { status: "reset"; userId: string; verified: boolean } | { status: "invalid_link" };

/**
 * Sets the password of the account that a reset link was sent to. A link works once. Ends all sessions
 * and voids the account's other links that let somebody in. The link proves access to the mailbox, so the address is
 * verified too; if it wasn't before, the account's other sign-in methods may be a stranger's, and go.
 */
export function resetPassword(
  { token, passwordHash }: { token: string; passwordHash: string },
  db: Database = getDb(),
): Promise<ResetResult> {
  // Read committed: links of one account take turns at its lock, and the conditional write that uses
  // up the link decides.
  return db.$transaction(async (transaction) => {
    const link = { token, purpose: "reset_password" } as const;
    const userId = await lockLinkOwner(link, transaction);
    if (!userId || (await spendLink(link, transaction)) !== "used")
      return { status: "invalid_link" };
    await dropUnverifiedSignInMethods(userId, transaction);
    await transaction.user.update({
      where: { id: userId },
      data: { passwordHash },
      select: { id: true },
    });
    await endSessions({ userId }, transaction);
    await voidLinks({ userId, purposes: ["reset_password"] }, transaction);
    const verified = await markEmailVerified(userId, transaction);
    await queueNotice(userId, transaction);
    return { status: "reset", userId, verified };
  });
}

/** Tells the owner that their password was changed, and what to do if they didn't change it. */
function queueNotice(userId: string, transaction: Transaction): Promise<void> {
  const data = { at: new Date().toISOString() };
  const key = `password_changed:${userId}:${data.at}`;
  return queueEmail({ kind: "password_changed", userId, data, key }, transaction);
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
 * Replaces the password that was just checked, gives the current session a new token, ends all other
 * sessions and voids reset links. Does nothing if the password has changed since the check.
 */
export function changePassword(
  change: { userId: string; sessionId: string; checkedHash: string; passwordHash: string },
  db: Database = getDb(),
): Promise<ChangeResult> {
  const { userId, sessionId, checkedHash, passwordHash } = change;
  // Read committed: the conditional write decides, and its row lock makes a concurrent reset wait.
  return db.$transaction(async (transaction) => {
    const { count } = await transaction.user.updateMany({
      where: { id: userId, passwordHash: checkedHash },
      data: { passwordHash },
    });
    if (count === 0) return { status: "changed_meanwhile" };
    await endSessions({ userId, except: sessionId }, transaction);
    const token = await rotateSession(sessionId, transaction);
    await voidLinks({ userId, purposes: ["reset_password"] }, transaction);
    await queueNotice(userId, transaction);
    return { status: "changed", token };
  });
}

/**
 * Gives an account without a password its first one, gives the current session a new token, ends all
 * other sessions, voids reset links and tells the owner by email. Does nothing if the account has a
 * password by now, or the session has ended.
 */
export function setFirstPassword(
  first: { userId: string; sessionId: string; passwordHash: string },
  db: Database = getDb(),
): Promise<ChangeResult> {
  const { userId, sessionId, passwordHash } = first;
  // Read committed: two forms sent at once, or a deletion, take turns at the account's lock.
  return db.$transaction(async (transaction) => {
    const { hasPassword } = await lockSignInMethods(userId, transaction);
    // Null for an ended session: a deleted account must not get a password.
    const token = hasPassword ? null : await rotateSession(sessionId, transaction);
    if (!token) return { status: "changed_meanwhile" };
    await transaction.user.update({
      where: { id: userId },
      data: { passwordHash },
      select: { id: true },
    });
    await endSessions({ userId, except: sessionId }, transaction);
    await voidLinks({ userId, purposes: ["reset_password"] }, transaction);
    await noteFactorChange({ userId, change: "password_set", name: null }, transaction);
    return { status: "changed", token };
  });
}

/**
 * Replaces the hash that a password was just checked against with another hash of the same password.
 * Returns false and changes nothing if the account's hash has changed since.
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
