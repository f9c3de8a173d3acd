import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { lockAccount } from "~/models/accounts/account-lock.server";
import { noteFactorChange } from "~/models/accounts/factor-changes.server";
import { createRecoveryCodes, hashRecoveryCode } from "~/services/auth/recovery-code.server";

/** Replaces the account's codes and returns the new ones, which only their hashes are kept of. */
export async function renewRecoveryCodes(
  userId: string,
  transaction: Transaction,
): Promise<string[]> {
  const codes = createRecoveryCodes();
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  await transaction.recoveryCode.createMany({
    data: codes.flatMap((code) => {
      const codeHash = hashRecoveryCode(userId, code);
      return codeHash ? [{ userId, codeHash }] : [];
    }),
  });
  return codes;
}

/**
 * Uses up a recovery code and tells the owner by mail. The conditional write decides, so each code
 * works once. Returns false for a wrong or used code.
 */
export function spendRecoveryCode(
  { userId, code }: { userId: string; code: string },
  db: Database = getDb(),
): Promise<boolean> {
  const codeHash = hashRecoveryCode(userId, code);
  if (!codeHash) return Promise.resolve(false);
  // Read committed: the account's lock comes first. Of two uses at once, the later one finds the row used.
  return db.$transaction(async (transaction) => {
    await lockAccount(userId, transaction);
    const used = await transaction.$executeRaw`
      UPDATE recovery_codes SET used_at = now()
      WHERE user_id = ${userId}::uuid AND code_hash = ${codeHash} AND used_at IS NULL`;
    if (used === 0) return false;
    await noteFactorChange({ userId, change: "recovery_code_used", name: null }, transaction);
    return true;
  });
}

/** How many of the account's codes still work. */
export function countRecoveryCodes(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } });
}
