import type { Transaction } from "~/db.server";
import { endSessions } from "~/models/accounts/sessions.server";

/**
 * Drops every way into an account whose address is unverified, for whoever has just proved that the
 * mailbox is theirs: somebody else may have made the account and know its password. Returns whether the
 * address was unverified; otherwise nothing changes. The caller holds the account's lock.
 */
export async function dropUnprovenWays(userId: string, transaction: Transaction): Promise<boolean> {
  const { count } = await transaction.user.updateMany({
    where: { id: userId, emailVerifiedAt: null },
    data: { passwordHash: null },
  });
  if (count === 0) return false;
  const where = { userId };
  await endSessions({ userId }, transaction);
  await transaction.oauthAccount.deleteMany({ where });
  await transaction.passkey.deleteMany({ where });
  await transaction.totpFactor.deleteMany({ where });
  await transaction.recoveryCode.deleteMany({ where });
  await transaction.$executeRaw`
    UPDATE verification_tokens SET used_at = now()
    WHERE user_id = ${userId}::uuid AND used_at IS NULL`;
  return true;
}
