import { PRODUCT_NAME } from "~/catalog";
import { getEnv } from "~/env.server";
import type { ValidationKey } from "~/i18n/validation-key";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { isBreached } from "~/services/auth/breached-passwords.server";
import { isGuessable } from "~/services/auth/password-strength.server";

interface NewPassword {
  password: string;
  /** Email of the account that will get the password. */
  email: string;
  clientAddress: string;
}

/**
 * Returns what is wrong with a chosen password, or null. Limited by address, since the check takes
 * processor time and a call to the breach API.
 * @throws AppError 429 rate_limited
 */
export async function findPasswordFault({
  password,
  email,
  clientAddress,
}: NewPassword): Promise<ValidationKey | null> {
  await enforceAddressLimit("new-password-address", clientAddress);
  if (await isGuessable(password, contextWords(email))) return "validation.passwordGuessable";
  if (await isBreached(password)) return "validation.passwordBreached";
  return null;
}

/** Words anybody knows about the account and the service; a password made of them is too weak. */
function contextWords(email: string): string[] {
  const { hostname } = getEnv().siteUrl;
  const [localPart = ""] = email.split("@");
  return [email, localPart, PRODUCT_NAME, PRODUCT_NAME.replaceAll(" ", ""), hostname];
}
