import { createHmac } from "node:crypto";
import type { Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { grantCredits } from "~/models/credits/grants.server";
import { log } from "~/utils/logger.server";

interface Account {
  userId: string;
  /** In lower case. */
  email: string;
}

const signupSource = (userId: string) => `signup:${userId}`;

/**
 * The mark of a mailbox that had its `SIGNUP_CREDITS`. Its key is derived from `AUTH_SECRET`: whoever
 * reads the table without the secret can test no address. A new secret makes old marks useless.
 */
function hashAddress(email: string): Uint8Array<ArrayBuffer> {
  const key = createHmac("sha256", getEnv().authSecret).update("signup credits").digest();
  const address = email.trim().normalize("NFC").toLowerCase();
  return new Uint8Array(createHmac("sha256", key).update(address).digest());
}

/** Grants a new account its `SIGNUP_CREDITS`, once, unless a deleted account of its mailbox had them. */
export async function grantSignupCredits(
  { userId, email }: Account,
  transaction: Transaction,
): Promise<void> {
  const amount = getEnv().signupCredits;
  if (amount === 0) return;
  const addressHash = hashAddress(email);
  const claimed = await transaction.claimedSignupCredit.count({ where: { addressHash } });
  if (claimed > 0) {
    log().info({ userId }, "the mailbox of a deleted account gets no second sign-up credits");
    return;
  }
  const source = signupSource(userId);
  await grantCredits({ userId, amount, source, expiresAt: null }, transaction);
}

/** Marks the mailbox of an account that is being deleted, if the account had its `SIGNUP_CREDITS`. */
export async function markSignupCredits(
  { userId, email }: Account,
  transaction: Transaction,
): Promise<void> {
  const granted = await transaction.creditTransaction.count({
    where: { userId, source: signupSource(userId) },
  });
  if (granted === 0) return;
  await transaction.claimedSignupCredit.createMany({
    data: [{ addressHash: hashAddress(email) }],
    skipDuplicates: true,
  });
}
