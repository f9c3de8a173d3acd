import type { Locale } from "~/i18n/locale";
import type { ValidationKey } from "~/i18n/validation-key";
import { signUpUser } from "~/models/accounts/users.server";
import { mailSignUpNotice } from "~/server/account-mails.server";
import { enforceAddressLimit } from "~/server/address-limits.server";
import { rememberDevice } from "~/server/device-cookie.server";
import { findPasswordFault } from "~/server/new-password.server";
import { signInHeaders } from "~/server/session.server";
import { hashPassword } from "~/services/auth/password.server";
import { securityEvent } from "~/utils/security-event.server";

interface SignUp {
  request: Request;
  email: string;
  password: string;
  locale: Locale;
  clientAddress: string;
}

type SignUpResult =
  | { status: "created"; headers: Headers }
  | { status: "password_refused"; fault: ValidationKey }
  | { status: "email_taken" };

/**
 * Creates an account and returns the headers that set its session and device cookie. If the address
 * is taken, its owner gets an email.
 * @throws AppError 429 rate_limited, 503 busy
 */
export async function signUpWithPassword(signUp: SignUp): Promise<SignUpResult> {
  const { request, email, password, locale, clientAddress } = signUp;
  const fault = await findPasswordFault({ password, email, clientAddress });
  if (fault) return { status: "password_refused", fault };
  // Last before the expensive work: a form with invalid fields doesn't count as a sign-up.
  await enforceAddressLimit("sign-up-address", clientAddress);
  const passwordHash = await hashPassword(password);
  const result = await signUpUser({ email, passwordHash, locale });
  if (result.status === "email_taken") {
    securityEvent("sign_up", { outcome: "failure", email, reason: "email_taken" });
    mailSignUpNotice(email);
    return { status: "email_taken" };
  }
  const { userId } = result;
  const headers = new Headers(await signInHeaders(request, { userId }));
  const device = await rememberDevice(request, { userId, passwordHash });
  headers.append("Set-Cookie", device);
  securityEvent("sign_up", { outcome: "success", userId, email });
  return { status: "created", headers };
}
