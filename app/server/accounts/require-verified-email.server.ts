import { getEnv } from "~/env.server";
import { AppError } from "~/utils/app-error";

/** Whether the person has to verify their address first for what needs a verified one. */
export function lacksVerification({ emailVerified }: { emailVerified: boolean }): boolean {
  return !emailVerified && getEnv().email !== null;
}

/**
 * Admits accounts with a verified email address. While email is off it admits all accounts, since
 * nobody can verify an address then.
 * @throws AppError 403 email_unverified
 */
export function requireVerifiedEmail(user: { emailVerified: boolean }): void {
  if (!lacksVerification(user)) return;
  throw new AppError({
    code: "email_unverified",
    publicMessage:
      "Verify your email address first: your profile page sends you the link. Nothing was charged or changed.",
  });
}
