import type { Transaction } from "~/db.server";
import { revokeAllApiKeys } from "~/models/accounts/api-keys.server";
import { deleteFactors } from "~/models/accounts/factors.server";
import { endSessions } from "~/models/accounts/sessions.server";
import { LINK_PURPOSES } from "~/models/accounts/verification-tokens.server";

/**
 * Drops every way into an account whose address is unverified, for whoever has just proved that the
 * mailbox is theirs: somebody else may have made the account, to wait in it for the owner. Purchases,
 * credits and files stay, because they may be the owner's. Returns whether the address was unverified;
 * otherwise nothing changes. The caller holds the account's lock.
 */
export async function dropUnverifiedSignInMethods(
  userId: string,
  transaction: Transaction,
): Promise<boolean> {
  const [user] = await transaction.user.updateManyAndReturn({
    where: { id: userId, emailVerifiedAt: null },
    data: { passwordHash: null, heldForEmail: false, mutedEmails: [] },
    select: { email: true },
  });
  if (!user) return false;
  const where = { userId };
  await endSessions({ userId }, transaction);
  await revokeAllApiKeys(userId, transaction);
  await transaction.oauthAccount.deleteMany({ where });
  await deleteFactors(userId, transaction);
  await transaction.verificationToken.deleteMany({ where });
  // Links are made when a mail is sent: one that waits, or goes to another address, would be a new way in.
  const OR = [{ recipient: { not: user.email } }, { kind: { in: [...LINK_PURPOSES] } }];
  await transaction.outboxEmail.deleteMany({ where: { userId, sentAt: null, OR } });
  return true;
}
