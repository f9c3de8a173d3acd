import { type Cookie, redirect, redirectDocument, type TypedResponse } from "@remix-run/node";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import {
  createSession,
  endSession,
  getSessionUser,
  SESSION_DAYS,
  type SessionUser,
} from "~/models/accounts/sessions.server";
import { FORGET_PAGES } from "~/server/accounts/forget-pages.server";
import { refuseHeldAccount } from "~/server/accounts/held-accounts.server";
import { forgetDrafts } from "~/server/metering/draft.server";
import { ownCookie } from "~/server/request/own-cookie.server";
import { AppError } from "~/utils/app-error";
import { currentRequest, noteRequestUser } from "~/utils/request-context.server";
import { securityEvent } from "~/utils/security-event.server";

let cookie: Cookie | undefined;

function sessionCookie(): Cookie {
  cookie ??= ownCookie("session", {
    maxAge: SESSION_DAYS * 24 * 60 * 60,
    secrets: [getEnv().authSecret],
  });
  return cookie;
}

async function readToken(request: Request): Promise<string | null> {
  const value: unknown = await sessionCookie().parse(request.headers.get("Cookie"));
  return typeof value === "string" && value !== "" ? value : null;
}

/** The lookups of requests that only read, by the request's context. */
const lookups = new WeakMap<
  object,
  { cookies: string | null; user: Promise<SessionUser | null> }
>();

/** Returns the signed-in user, or null. All loaders of a page share one lookup. */
export function getUser(request: Request): Promise<SessionUser | null> {
  const context = currentRequest();
  // An action can end the session it runs in. The loaders of its page run after it, as GET.
  if (!context || (request.method !== "GET" && request.method !== "HEAD")) return lookUp(request);
  const cookies = request.headers.get("Cookie");
  const kept = lookups.get(context);
  if (kept?.cookies === cookies) return kept.user;
  const user = lookUp(request);
  lookups.set(context, { cookies, user });
  return user;
}

async function lookUp(request: Request): Promise<SessionUser | null> {
  const token = await readToken(request);
  const user = token ? await getSessionUser(token) : null;
  if (user) noteRequestUser({ userId: user.id, sessionId: user.sessionId });
  return user;
}

/** Returns the signed-in user. @throws AppError 401 unauthenticated */
export async function requireUser(request: Request): Promise<SessionUser> {
  const user = await getUser(request);
  if (user) return user;
  throw new AppError({
    code: "unauthenticated",
    publicMessage: "Sign in first, and send the session cookie.",
  });
}

/** Returns the signed-in user. Sends a visitor to sign in and then back to this page. */
export async function requirePageUser(request: Request, locale: Locale): Promise<SessionUser> {
  const user = await getUser(request);
  if (user) return user;
  const { pathname, search } = new URL(request.url);
  const here = request.method === "GET" ? pathname + search : pathname;
  // A page that React shows loads the sign-in page as a document: it has scripts of its own.
  throw redirectDocument(`/${locale}/sign-in?${new URLSearchParams({ redirectTo: here })}`);
}

/** Returns the header that stores a session's token in the browser. */
export async function sessionHeaders(token: string): Promise<HeadersInit> {
  return { "Set-Cookie": await sessionCookie().serialize(token) };
}

/**
 * Starts a session, ends the browser's previous session and returns the header that sets the
 * cookie.
 * @throws AppError 400 invalid_credentials if the checked password is no longer the account's, 403
 * account_disabled or account_held
 */
export async function signInHeaders(
  request: Request,
  account: { userId: string; checkedHash?: string },
): Promise<HeadersInit> {
  const previous = await readToken(request);
  const userAgent = request.headers.get("User-Agent");
  const session = await createSession({ ...account, userAgent });
  switch (session.status) {
    case "password_changed":
      securityEvent("sign_in", {
        outcome: "failure",
        userId: account.userId,
        reason: "password_changed",
      });
      throw invalidCredentials();
    case "account_disabled":
      securityEvent("sign_in", {
        outcome: "failure",
        userId: account.userId,
        reason: "account_disabled",
      });
      throw accountDisabled();
    case "account_held":
      securityEvent("sign_in", {
        outcome: "failure",
        userId: account.userId,
        reason: "account_held",
      });
      throw await refuseHeldAccount(account.userId);
    case "created":
      if (previous) await endSession(previous);
      return sessionHeaders(session.token);
  }
}

export function invalidCredentials(): AppError {
  return new AppError({
    code: "invalid_credentials",
    publicMessage: "The email address or the password is wrong.",
  });
}

/** Shown only after the correct password; to others the account looks like any other. */
function accountDisabled(): AppError {
  return new AppError({
    code: "account_disabled",
    publicMessage: "This account is disabled.",
  });
}

/**
 * Ends the session and returns the headers that remove its cookie, the pages that the browser kept and what
 * was begun in it.
 */
export async function signOutHeaders(request: Request): Promise<Headers> {
  const token = await readToken(request);
  const ended = token ? await endSession(token) : null;
  if (ended) securityEvent("sign_out", { outcome: "success", ...ended });
  const headers = new Headers(FORGET_PAGES);
  headers.append("Set-Cookie", await sessionCookie().serialize("", { maxAge: 0 }));
  for (const draft of await forgetDrafts(request)) headers.append("Set-Cookie", draft);
  return headers;
}

/** Ends the session and redirects to this path, where the browser drops the pages it kept. */
export async function signOutRedirect(
  request: Request,
  path: string,
): Promise<TypedResponse<never>> {
  const to = new URL(path, request.url);
  to.searchParams.set("done", "signed-out");
  const headers = await signOutHeaders(request);
  return redirect(to.pathname + to.search, { status: 303, headers });
}
