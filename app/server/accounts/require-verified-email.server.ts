import { getEnv } from "~/env.server";
import { AppError } from "~/utils/app-error";

/**
 * Admits accounts with a verified email address. While email is off it admits all accounts, since
 * nobody can verify an address then.
 * @throws AppError 403 email_unverified
 */
export function requireVerifiedEmail({ emailVerified }: { emailVerified: boolean }): void {
  if (emailVerified || getEnv().email === null) return;
  throw new AppError({
    code: "email_unverified",
    publicMessage:
      "Verify your email address first: your profile page sends you the link. Nothing was charged or changed.",
  });
}
