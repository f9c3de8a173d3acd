import { type Cookie, createCookie, redirect } from "@remix-run/node";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import {
  createSession,
  endSession,
  getSessionUser,
  SESSION_DAYS,
  type SessionUser,
} from "~/models/accounts/sessions.server";
import { AppError } from "~/utils/app-error";
import { noteRequestUser } from "~/utils/request-context.server";

let cookie: Cookie | undefined;

/** Under https the `__Host-` prefix ties the cookie to this very host and keeps it Secure. */
function sessionCookie(): Cookie {
  const env = getEnv();
  const https = env.siteUrl.protocol === "https:";
  cookie ??= createCookie(https ? "__Host-session" : "session", {
    httpOnly: true,
    sameSite: "lax",
    secure: https,
    path: "/",
    maxAge: SESSION_DAYS * 24 * 60 * 60,
    secrets: [env.authSecret],
  });
  return cookie;
}

async function readToken(request: Request): Promise<string | null> {
  const value: unknown = await sessionCookie().parse(request.headers.get("Cookie"));
  return typeof value === "string" && value !== "" ? value : null;
}

/** The signed-in person, or null. */
export async function getUser(request: Request): Promise<SessionUser | null> {
  const token = await readToken(request);
  const user = token ? await getSessionUser(token) : null;
  if (user) noteRequestUser({ userId: user.id, sessionId: user.sessionId });
  return user;
}

/** The signed-in person. @throws AppError 401 unauthenticated */
export async function requireUser(request: Request): Promise<SessionUser> {
  const user = await getUser(request);
  if (user) return user;
  throw new AppError({
    code: "unauthenticated",
    status: 401,
    publicMessage: "Sign in first: this needs a session.",
  });
}

/** The signed-in person; others are sent to sign in and come back to this page. */
export async function requirePageUser(request: Request, locale: Locale): Promise<SessionUser> {
  const user = await getUser(request);
  if (user) return user;
  const { pathname, search } = new URL(request.url);
  const here = request.method === "GET" ? pathname + search : pathname;
  throw redirect(`/${locale}/sign-in?${new URLSearchParams({ redirectTo: here })}`);
}

/**
 * Starts a session, ends the one the browser had, and answers the header that sets the cookie.
 * @throws AppError 400 invalid_credentials if the password that was checked is no longer the account's
 */
export async function signInHeaders(
  request: Request,
  account: { userId: string; checkedHash?: string },
): Promise<HeadersInit> {
  const previous = await readToken(request);
  const userAgent = request.headers.get("User-Agent");
  const token = await createSession({ ...account, userAgent });
  if (!token) throw invalidCredentials();
  if (previous) await endSession(previous);
  return { "Set-Cookie": await sessionCookie().serialize(token) };
}

export function invalidCredentials(): AppError {
  return new AppError({
    code: "invalid_credentials",
    status: 400,
    publicMessage: "The e-mail address or the password is wrong.",
  });
}

/** Ends the session and answers the header that removes its cookie. */
export async function signOutHeaders(request: Request): Promise<HeadersInit> {
  const token = await readToken(request);
  if (token) await endSession(token);
  return { "Set-Cookie": await sessionCookie().serialize("", { maxAge: 0 }) };
}
