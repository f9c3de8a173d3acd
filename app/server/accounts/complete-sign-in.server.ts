import { redirect, type TypedResponse } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { queueNewDeviceNotice } from "~/models/accounts/account-emails.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { hasTotp } from "~/models/accounts/totp.server";
import { arrive } from "~/server/accounts/arrival.server";
import { findTrustedDevice, rememberDevice } from "~/server/accounts/device-cookie.server";
import { rememberMethod } from "~/server/accounts/last-method-cookie.server";
import {
  askForCode,
  forgetPendingSignIn,
  type PendingSignIn,
} from "~/server/accounts/pending-sign-in.server";
import { signInHeaders } from "~/server/accounts/session.server";
import type { SignInMethod } from "~/services/auth/sign-in-methods";
import { securityEvent } from "~/utils/security-event.server";

export interface ProvenAccount {
  userId: string;
  way: SignInMethod;
  email?: string;
  /** The hash that a password was just checked against. */
  checkedHash?: string;
}

interface Next {
  locale: Locale;
  redirectTo: string | undefined;
}

/**
 * Ends every way of signing in: starts the session, remembers the device and redirects to the page that
 * the person came for. An account with an authenticator app gets no session yet: its person is sent to
 * the page that asks for the code.
 * @throws AppError 400 invalid_credentials if the checked password is no longer the account's, 403
 * account_disabled or account_held
 */
export async function completeSignIn(
  request: Request,
  proven: ProvenAccount,
  next: Next,
): Promise<TypedResponse<never>> {
  const { userId, way, checkedHash } = proven;
  if (way === "passkey" || !(await hasTotp(userId))) return startSession(request, proven, next);
  securityEvent("second_factor_asked", { outcome: "success", userId, details: { way } });
  const passwordHash = checkedHash ?? (await getPasswordHash(userId));
  return askForCode({ userId, way, passwordHash }, next);
}

/**
 * Ends a sign-in whose code was right.
 * @throws as completeSignIn
 */
export async function completeWithCode(
  request: Request,
  { userId, way, redirectTo, passwordHash }: PendingSignIn,
  locale: Locale,
): Promise<TypedResponse<never>> {
  const proven = { userId, way, ...(passwordHash ? { checkedHash: passwordHash } : {}) };
  const response = await startSession(request, proven, { locale, redirectTo });
  response.headers.append("Set-Cookie", await forgetPendingSignIn());
  return response;
}

async function startSession(
  request: Request,
  { userId, way, email, checkedHash }: ProvenAccount,
  { locale, redirectTo }: Next,
): Promise<TypedResponse<never>> {
  const headers = new Headers(
    await signInHeaders(request, { userId, ...(checkedHash ? { checkedHash } : {}) }),
  );
  const passwordHash = checkedHash ?? (await getPasswordHash(userId));
  if (!(await findTrustedDevice(request, { userId, passwordHash }))) {
    const userAgent = request.headers.get("User-Agent");
    await queueNewDeviceNotice({ userId, userAgent });
  }
  headers.append("Set-Cookie", await rememberDevice(request, { userId, passwordHash }));
  headers.append("Set-Cookie", await rememberMethod(way));
  securityEvent("sign_in", {
    outcome: "success",
    userId,
    ...(email ? { email } : {}),
    details: { way },
  });
  return redirect(await arrive({ userId, locale, redirectTo }), { status: 303, headers });
}
