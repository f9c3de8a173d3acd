import { redirect } from "@remix-run/node";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { getFactorSummary } from "~/models/accounts/factors.server";
import { isSessionFresh } from "~/models/accounts/reauthentication.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { getUser } from "~/server/accounts/session.server";
import { hasKey, REFUSED } from "~/server/admin/read-search";

/** Minutes for which a proof of identity admits an admin. */
const FRESH_MINUTES = 15;

/**
 * Returns the admin who sends this request: somebody whose verified address stands in ADMIN_EMAILS, who has an
 * authenticator app. One whose last proof of identity is older than 15 minutes is sent to give another.
 * @throws Response 404 for everybody else, as where there is no page
 */
export async function requireAdmin(request: Request, locale: Locale): Promise<SessionUser> {
  const user = await getUser(request);
  if (!user || !(await isAdmin(user))) throw new Response(null, { status: 404 });
  if (await isSessionFresh(user.sessionId, undefined, FRESH_MINUTES)) return user;
  const url = new URL(request.url);
  // A key that was searched for stands in no further address.
  const redirectTo = url.pathname + (hasKey(url) ? `?${REFUSED}` : url.search);
  throw redirect(`/${locale}/account/confirm?${new URLSearchParams({ redirectTo })}`, 303);
}

/** Whether somebody is an admin. Asks the database only about an address that stands in ADMIN_EMAILS. */
export async function isAdmin({ id, email, emailVerified }: SessionUser): Promise<boolean> {
  if (!emailVerified || !getEnv().adminEmails.includes(email)) return false;
  // A passkey takes the password's place at sign-in, and is never asked for beside it.
  return (await getFactorSummary(id)).totp;
}
