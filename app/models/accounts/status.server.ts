import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { endSessions } from "~/models/accounts/sessions.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { accountOf } from "~/models/metering/runs.server";

export type DisableResult = {
  status: "disabled" | "already_disabled";
  sessionsEnded: number;
};

/**
 * Disables an account: nobody can sign in to it, and its sessions end at once. Credits, orders, plans
 * and files stay. Webhooks and grants continue, and automatic top-up ends. A password reset does not enable the account.
 */
export function disableAccount(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<DisableResult> {
  // Read committed: the write locks the account. A concurrent sign-in either committed before, and its
  // session ends below, or waits for this transaction and is refused.
  return db.$transaction(async (transaction) => {
    const changed = await transaction.$executeRaw`
      UPDATE users SET disabled_at = now() WHERE id = ${userId}::uuid AND disabled_at IS NULL`;
    const sessionsEnded = await endSessions({ userId }, transaction);
    await turnOffTopUp({ accountId: accountOf({ id: userId }), reason: "disabled" }, transaction);
    return { status: changed === 1 ? "disabled" : "already_disabled", sessionsEnded };
  });
}

/** Allows sign-in to a disabled account again. Ended sessions stay ended. */
export async function enableAccount(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ status: "enabled" | "not_disabled" }> {
  const { count } = await db.user.updateMany({
    where: { id: userId, disabledAt: { not: null } },
    data: { disabledAt: null },
  });
  return { status: count === 1 ? "enabled" : "not_disabled" };
}
