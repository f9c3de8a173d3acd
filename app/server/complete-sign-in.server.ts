import { redirect, type TypedResponse } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { rememberDevice } from "~/server/device-cookie.server";
import { rememberWay } from "~/server/last-way-cookie.server";
import { signInHeaders } from "~/server/session.server";
import type { SignInWay } from "~/services/auth/sign-in-ways";
import { safeRedirect } from "~/utils/safe-redirect";
import { securityEvent } from "~/utils/security-event.server";

export interface ProvenAccount {
  userId: string;
  way: SignInWay;
  email?: string;
  /** The hash that a password was just checked against. */
  checkedHash?: string;
}

/**
 * Ends every way of signing in: starts the session, remembers the device and redirects to the page that
 * the person came for.
 * @throws AppError 400 invalid_credentials if the checked password is no longer the account's, 403
 * account_disabled or account_held
 */
export async function completeSignIn(
  request: Request,
  { userId, way, email, checkedHash }: ProvenAccount,
  { locale, redirectTo }: { locale: Locale; redirectTo: string | undefined },
): Promise<TypedResponse<never>> {
  const headers = new Headers(
    await signInHeaders(request, { userId, ...(checkedHash ? { checkedHash } : {}) }),
  );
  const passwordHash = checkedHash ?? (await getPasswordHash(userId));
  headers.append("Set-Cookie", await rememberDevice(request, { userId, passwordHash }));
  headers.append("Set-Cookie", await rememberWay(way));
  securityEvent("sign_in", {
    outcome: "success",
    userId,
    ...(email ? { email } : {}),
    details: { way },
  });
  return redirect(safeRedirect(redirectTo, `/${locale}`), { status: 303, headers });
}
