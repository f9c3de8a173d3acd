import type { Transaction } from "~/db.server";
import type { Locale } from "~/i18n/locale";

type ClaimResult =
  | { status: "claimed"; userId: string }
  | { status: "email_taken" }
  | { status: "account_disabled" };

/**
 * Gives the unverified account of an address to the person who has just proved the address. Somebody
 * else may have made the account, to wait in it for the owner: every way in that they could have left
 * goes. Purchases, credits and files stay, because they may be the owner's. A verified account stays as
 * it is.
 */
export async function claimAddress(
  claim: { email: string; name: string | null; locale: Locale },
  transaction: Transaction,
): Promise<ClaimResult> {
  // Waits for a verification or a sign-in in progress, and then reads its result.
  const [holder] = await transaction.$queryRaw<
    { id: string; verified: boolean; disabled: boolean }[]
  >`
    SELECT id, email_verified_at IS NOT NULL AS verified, disabled_at IS NOT NULL AS disabled
    FROM users WHERE email = ${claim.email} FOR UPDATE`;
  if (!holder || holder.verified) return { status: "email_taken" };
  if (holder.disabled) return { status: "account_disabled" };
  await dropWaysIn(holder.id, claim, transaction);
  return { status: "claimed", userId: holder.id };
}

async function dropWaysIn(
  userId: string,
  { email, name, locale }: { email: string; name: string | null; locale: Locale },
  transaction: Transaction,
): Promise<void> {
  const where = { userId };
  await transaction.session.deleteMany({ where });
  await transaction.oauthAccount.deleteMany({ where });
  await transaction.verificationToken.deleteMany({ where });
  await transaction.passkey.deleteMany({ where });
  await transaction.totpFactor.deleteMany({ where });
  await transaction.recoveryCode.deleteMany({ where });
  await transaction.authChallenge.deleteMany({ where });
  // Links are made when a mail is sent: one that waits, or goes to another address, would be a new way in.
  await transaction.$executeRaw`
    DELETE FROM outbox_emails WHERE user_id = ${userId}::uuid AND sent_at IS NULL
      AND (recipient <> ${email}
           OR kind IN ('verify_email', 'reset_password', 'sign_in_link', 'change_email'))`;
  await transaction.user.update({
    where: { id: userId },
    data: { passwordHash: null, name, locale, heldForEmail: false, mutedEmails: [] },
    select: { id: true },
  });
}
