import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { lockAccount } from "~/models/accounts/account-lock.server";
import { noteFactorChange } from "~/models/accounts/factor-changes.server";
import { countRecoveryCodes } from "~/models/accounts/recovery-codes.server";
import { endSessions } from "~/models/accounts/sessions.server";
import { hasTotp, removeTotp } from "~/models/accounts/totp.server";

/** Numbers of the account's factors, for its owner. */
export async function getFactorSummary(userId: string, db: DatabaseOrTransaction = getDb()) {
  const [totp, recoveryCodesLeft, passkeys] = await Promise.all([
    hasTotp(userId, db),
    countRecoveryCodes(userId, db),
    db.passkey.count({ where: { userId } }),
  ]);
  return { totp, recoveryCodesLeft, passkeys };
}

/** Removes the account's passkeys, app, recovery codes and half-done sign-ins, without a mail. */
export async function deleteFactors(userId: string, transaction: Transaction): Promise<void> {
  const where = { userId };
  await transaction.passkey.deleteMany({ where });
  await transaction.totpFactor.deleteMany({ where });
  await transaction.recoveryCode.deleteMany({ where });
  await transaction.authChallenge.deleteMany({ where });
}

export interface RemovedFactors {
  totp: boolean;
  passkeys: number;
  sessionsEnded: number;
}

/**
 * Removes the factors of somebody who lost them, tells them by mail, and ends all their sessions. The
 * operator has to know who asks. Sessions stay if there was nothing to remove.
 */
export function removeFactors(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<RemovedFactors> {
  // Read committed: the account's lock comes first.
  return db.$transaction(async (transaction) => {
    await lockAccount(userId, transaction);
    const passkeys = await transaction.passkey.findMany({
      where: { userId },
      select: { name: true },
    });
    const totp = await removeTotp(userId, transaction);
    for (const { name } of passkeys) {
      await noteFactorChange({ userId, change: "passkey_removed", name }, transaction);
    }
    await deleteFactors(userId, transaction);
    const changed = totp || passkeys.length > 0;
    const sessionsEnded = changed ? await endSessions({ userId }, transaction) : 0;
    return { totp, passkeys: passkeys.length, sessionsEnded };
  });
}
