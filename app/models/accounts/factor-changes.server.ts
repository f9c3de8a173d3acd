import type { Transaction } from "~/db.server";
import { ENTRY_LINKS, voidLinks } from "~/models/accounts/verification-tokens.server";
import type { FactorChange } from "~/models/emails/email-kinds";
import { queueEmail } from "~/models/emails/outbox.server";

/**
 * Tells an account's owner of a change of the sign-in methods, and voids the links that let somebody in: whoever
 * read the mailbox before the change must not keep a way in after it.
 */
export async function noteFactorChange(
  event: { userId: string; change: FactorChange; name: string | null },
  transaction: Transaction,
): Promise<void> {
  const { userId, change, name } = event;
  await voidLinks({ userId, purposes: ENTRY_LINKS }, transaction);
  const data = { at: new Date().toISOString(), change, name };
  const key = `factor_changed:${userId}:${change}:${data.at}`;
  await queueEmail({ kind: "factor_changed", userId, data, key }, transaction);
}
