import type { Transaction } from "~/db.server";
import type { Locale } from "~/i18n/locale";
import { dropUnverifiedSignInMethods } from "~/models/accounts/unverified-sign-in-methods.server";

type ClaimResult =
  | { status: "claimed"; userId: string }
  | { status: "email_taken" }
  | { status: "account_disabled" };

/**
 * Gives the unverified account of an address to the person who has just proved the address, without the
 * sign-in methods that somebody else could have left. A verified account stays as it is.
 */
export async function claimAddress(
  claim: { email: string; name: string | null; locale: Locale },
  transaction: Transaction,
): Promise<ClaimResult> {
  // Waits for a verification or a sign-in in progress, and then reads its result. A stronger lock could
  // deadlock: a spend holds the credit account, which the sign-up credits need, and waits for the user's
  // key.
  const [holder] = await transaction.$queryRaw<
    { id: string; verified: boolean; disabled: boolean }[]
  >`
    SELECT id, email_verified_at IS NOT NULL AS verified, disabled_at IS NOT NULL AS disabled
    FROM users WHERE email = ${claim.email} FOR NO KEY UPDATE`;
  if (!holder || holder.verified) return { status: "email_taken" };
  if (holder.disabled) return { status: "account_disabled" };
  await dropUnverifiedSignInMethods(holder.id, transaction);
  const { name, locale } = claim;
  await transaction.user.update({
    where: { id: holder.id },
    data: { name, locale },
    select: { id: true },
  });
  return { status: "claimed", userId: holder.id };
}
