import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import type { ValidationKey } from "~/i18n/validation-key";
import { signUpUser } from "~/models/accounts/users.server";
import { mailSignUpNotice } from "~/server/accounts/account-emails.server";
import {
  challengeRequired,
  checkChallenge,
  isTrapped,
} from "~/server/accounts/bot-challenge.server";
import { rememberDevice } from "~/server/accounts/device-cookie.server";
import { rememberMethod } from "~/server/accounts/last-method-cookie.server";
import { findPasswordFault } from "~/server/accounts/new-password.server";
import { signInHeaders } from "~/server/accounts/session.server";
import { mayMailLink, releaseMailedLink } from "~/server/accounts/stranger-emails.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { hashPassword } from "~/services/auth/password.server";
import { securityEvent } from "~/utils/security-event.server";

interface SignUp {
  request: Request;
  email: string;
  password: string;
  /** The page that the person is on the way to. */
  redirectTo: string | undefined;
  locale: Locale;
  clientAddress: string;
  /** The posted form, with the bot challenge's field. */
  form: FormData;
}

type SignUpResult =
  | { status: "created"; userId: string; headers: Headers }
  /** Nobody can use the account until its mailed link is confirmed. */
  | { status: "held" }
  /** A bot filled the hidden field; nothing was created. */
  | { status: "trapped" }
  | { status: "password_refused"; fault: ValidationKey }
  | { status: "email_taken" };

/**
 * Creates an account and returns the headers that set its session and device cookie. If the address
 * is taken, its owner gets an email. Where the bot challenge is on and the form came without it, the
 * account is held: no session begins before its mailed link is confirmed.
 * @throws AppError 400 challenge_failed or challenge_required, 429 rate_limited, 503 busy or
 * challenge_unavailable
 */
export async function signUpWithPassword(signUp: SignUp): Promise<SignUpResult> {
  const { request, email, password, redirectTo = null, locale, clientAddress, form } = signUp;
  if (isTrapped(form, "sign_up")) return { status: "trapped" };
  const fault = await findPasswordFault({ password, email, clientAddress });
  if (fault) return { status: "password_refused", fault };
  // Last before the expensive work: a form with invalid fields doesn't count as a sign-up.
  await enforceAddressLimit("sign-up-address", clientAddress);
  // After the fields are known to be good: a token works once.
  const challenge = await checkChallenge({ form, action: "sign_up", clientAddress });
  const heldForEmail = challenge === "absent";
  if (heldForEmail) {
    if (getEnv().email === null) throw challengeRequired();
    await enforceAddressLimit("held-sign-up-address", clientAddress);
  }
  const passwordHash = await hashPassword(password);
  const mailsLink = await mayMailLink({ email, emailVerifiedAt: null });
  const user = { email, passwordHash, locale, heldForEmail };
  const result = await signUpUser({ ...user, mailsLink, redirectTo });
  if (result.status === "email_taken") {
    if (mailsLink) await releaseMailedLink(email);
    securityEvent("sign_up", { outcome: "failure", email, reason: "email_taken" });
    mailSignUpNotice(email);
    return { status: "email_taken" };
  }
  const { userId } = result;
  if (heldForEmail) {
    securityEvent("sign_up", { outcome: "success", userId, email, reason: "held_for_email" });
    return { status: "held" };
  }
  const headers = new Headers(await signInHeaders(request, { userId }));
  const device = await rememberDevice(request, { userId, passwordHash });
  headers.append("Set-Cookie", device);
  headers.append("Set-Cookie", await rememberMethod("password"));
  securityEvent("sign_up", { outcome: "success", userId, email });
  return { status: "created", userId, headers };
}
