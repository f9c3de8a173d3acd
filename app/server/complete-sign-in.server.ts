import { redirect, type TypedResponse } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { queueNewDeviceNotice } from "~/models/accounts/account-emails.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { findTrustedDevice, rememberDevice } from "~/server/device-cookie.server";
import { signInHeaders } from "~/server/session.server";
import { safeRedirect } from "~/utils/safe-redirect";
import { securityEvent } from "~/utils/security-event.server";

/** What a person proved that they have. */
export type SignInWay = "password" | "passkey" | "sign_in_link" | "github" | "google";

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
 * account_disabled
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
  if (!(await findTrustedDevice(request, { userId, passwordHash }))) {
    const userAgent = request.headers.get("User-Agent");
    await queueNewDeviceNotice({ userId, userAgent });
  }
  headers.append("Set-Cookie", await rememberDevice(request, { userId, passwordHash }));
  securityEvent("sign_in", {
    outcome: "success",
    userId,
    ...(email ? { email } : {}),
    details: { way },
  });
  return redirect(safeRedirect(redirectTo, `/${locale}`), { status: 303, headers });
}
