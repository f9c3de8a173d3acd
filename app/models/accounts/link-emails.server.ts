import type { Transaction } from "~/db.server";
import { lockAccount } from "~/models/accounts/account-lock.server";
import { type LinkPurpose, voidLinks } from "~/models/accounts/verification-tokens.server";
import { type NewEmail, queueEmail, removeUnsent } from "~/models/emails/outbox.server";

/**
 * Queues the email of a link, in place of one that still waits, and voids the account's older links of the
 * kind: only the newest works. Links asked for at once take turns at the account's lock, or each would
 * miss the other. Links that verify the address stay: they let nobody in, and the mail that arrives first
 * may be the older one.
 */
export async function queueLink<Kind extends LinkPurpose>(
  email: Omit<NewEmail<Kind>, "key">,
  transaction: Transaction,
): Promise<void> {
  const { userId, kind } = email;
  await lockAccount(userId, transaction);
  if (kind === "verify_email") await removeUnsent({ userId, kinds: [kind] }, transaction);
  else await voidLinks({ userId, purposes: [kind] }, transaction);
  await queueEmail({ ...email, key: null }, transaction);
}
