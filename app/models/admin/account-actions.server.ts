import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { revokeApiKey } from "~/models/accounts/api-keys.server";
import { markEmailVerified } from "~/models/accounts/email-verification.server";
import { type RemovedFactors, removeFactors } from "~/models/accounts/factors.server";
import { signOutEverybody, signOutEverywhere } from "~/models/accounts/sessions.server";
import { type DisableResult, disableAccount, enableAccount } from "~/models/accounts/status.server";
import { withAudit } from "~/models/audit/audit-log.server";

// Operators' actions on accounts, by a command or on the admin pages, each with its row of the audit log.

/** One account, and who acts on it. */
export interface OnAccount {
  /** As in the audit log. */
  actor: string;
  userId: string;
  reason?: string;
}

/** Disables an account, as `disableAccount` does. */
export function disableUser(
  { actor, userId, reason }: OnAccount,
  db: DatabaseOrTransaction = getDb(),
): Promise<DisableResult> {
  return withAudit(async (transaction) => {
    const result = await disableAccount(userId, transaction);
    const { status, sessionsEnded } = result;
    const row = { actor, subjectUserId: userId, reason, after: { sessionsEnded } };
    return {
      result,
      entry: status === "disabled" ? { ...row, action: "user_disabled" } : null,
    };
  }, db);
}

/** Enables an account, as `enableAccount` does. */
export function enableUser(
  { actor, userId, reason }: OnAccount,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ status: "enabled" | "not_disabled" }> {
  return withAudit(async (transaction) => {
    const result = await enableAccount(userId, transaction);
    const row = { actor, subjectUserId: userId, reason };
    return {
      result,
      entry: result.status === "enabled" ? { ...row, action: "user_enabled" } : null,
    };
  }, db);
}

/** Ends all sessions of a person, and returns how many. */
export function signOutUser(
  { actor, userId, reason }: OnAccount,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return withAudit(async (transaction) => {
    const sessionsEnded = await signOutEverywhere({ userId }, transaction);
    const after = { sessionsEnded };
    // Mailed links and half-done sign-ins end, too, even if there was no session.
    return {
      result: sessionsEnded,
      entry: { actor, action: "user_signed_out", subjectUserId: userId, reason, after },
    };
  }, db);
}

/** Ends all sessions of all people, and returns how many. */
export function signOutAll(
  { actor }: { actor: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return withAudit(async (transaction) => {
    const sessionsEnded = await signOutEverybody(transaction);
    return {
      result: sessionsEnded,
      entry: { actor, action: "everybody_signed_out", after: { sessionsEnded } },
    };
  }, db);
}

/** Removes the factors of a person who lost them, as `removeFactors` does. */
export function removeUserFactors(
  { actor, userId, reason }: OnAccount,
  db: DatabaseOrTransaction = getDb(),
): Promise<RemovedFactors> {
  return withAudit(async (transaction) => {
    const result = await removeFactors(userId, transaction);
    const isChanged = result.totp || result.passkeys > 0;
    const row = { actor, subjectUserId: userId, reason, after: { ...result } };
    return { result, entry: isChanged ? { ...row, action: "factors_removed" } : null };
  }, db);
}

/** Revokes a person's key. Returns false for another person's, and for one that was revoked. */
export function revokeUserKey(
  { actor, userId, keyId, reason }: OnAccount & { keyId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return withAudit(async (transaction) => {
    const isRevoked = await revokeApiKey({ userId, keyId }, transaction);
    const row = { actor, subjectUserId: userId, subject: `api_key:${keyId}`, reason };
    return { result: isRevoked, entry: isRevoked ? { ...row, action: "api_key_revoked" } : null };
  }, db);
}

/** Takes an account's address as verified, as `markEmailVerified` does. Returns false if it was. */
export function verifyUserAddress(
  { actor, userId, reason }: OnAccount,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return withAudit(async (transaction) => {
    const isChanged = await markEmailVerified(userId, transaction);
    const row = { actor, subjectUserId: userId, reason };
    return { result: isChanged, entry: isChanged ? { ...row, action: "address_verified" } : null };
  }, db);
}
