import { createHmac } from "node:crypto";
import { type Cookie, redirect, type TypedResponse } from "@remix-run/node";
import { z } from "zod";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import {
  countChallengeTry,
  createChallenge,
  findChallenge,
  spendChallenge,
} from "~/models/accounts/auth-challenges.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { ownCookie } from "~/server/request/own-cookie.server";
import { fingerprint } from "~/utils/token.server";

/** Codes that may be tried in one sign-in. After that it starts over with the first proof. */
const TRIES = 5;
const LIFETIME_SECONDS = 10 * 60;
const purpose = "second_factor";

const dataSchema = z.object({
  way: z.enum(["password", "sign_in_link", "github", "google"]),
  passwordMark: z.string(),
  redirectTo: z.string().optional(),
});

export type FirstMethod = z.output<typeof dataSchema>["way"];

/** A sign-in whose first proof was right and which lacks its code. */
export interface PendingSignIn {
  userId: string;
  way: FirstMethod;
  redirectTo: string | undefined;
  /** The password hash that the account had, and still has; null for an account without one. */
  passwordHash: string | null;
}

let cookie: Cookie | undefined;

/** Only the browser that gave the first proof can give the code. */
function pendingCookie(): Cookie {
  const { authSecret } = getEnv();
  cookie ??= ownCookie("pending-sign-in", {
    maxAge: LIFETIME_SECONDS,
    // A separate key, so that a value signed for another cookie is never valid here.
    secrets: [createHmac("sha256", authSecret).update("pending sign-in").digest("base64url")],
  });
  return cookie;
}

/** Names a password hash without holding a copy of it. */
const markOf = (passwordHash: string | null) => fingerprint("password", passwordHash ?? "");

/** Keeps the first proof for ten minutes and sends the person to the page that asks for the code. */
export async function askForCode(
  { userId, way, passwordHash }: Omit<PendingSignIn, "redirectTo">,
  { locale, redirectTo }: { locale: Locale; redirectTo: string | undefined },
): Promise<TypedResponse<never>> {
  const data = { way, redirectTo, passwordMark: markOf(passwordHash) };
  const token = await createChallenge({ purpose, userId, data });
  const query = redirectTo ? `?${new URLSearchParams({ redirectTo })}` : "";
  return redirect(`/${locale}/sign-in/code${query}`, {
    status: 303,
    headers: { "Set-Cookie": await pendingCookie().serialize(token) },
  });
}

async function readToken(request: Request): Promise<string> {
  const value: unknown = await pendingCookie().parse(request.headers.get("Cookie"));
  return typeof value === "string" ? value : "";
}

/** Whether this browser has a sign-in that lacks its code. */
export async function isSignInPending(request: Request): Promise<boolean> {
  return (await findChallenge({ purpose, token: await readToken(request) })) !== null;
}

/**
 * Counts one try at this browser's sign-in and returns it. Null if there is none, its ten minutes are
 * over, its tries are used up, or the account's password has changed since the first proof.
 */
export async function tryPendingSignIn(request: Request): Promise<PendingSignIn | null> {
  const token = await readToken(request);
  const challenge = await countChallengeTry({ purpose, token, tries: TRIES });
  const data = dataSchema.safeParse(challenge?.data).data;
  if (!challenge?.userId || !data) return null;
  const { userId } = challenge;
  const passwordHash = await getPasswordHash(userId);
  if (markOf(passwordHash) !== data.passwordMark) return null;
  return { userId, way: data.way, redirectTo: data.redirectTo, passwordHash };
}

/** Uses up this browser's sign-in. Returns false if it was ended or used meanwhile. */
export async function spendPendingSignIn(request: Request): Promise<boolean> {
  return (await spendChallenge({ purpose, token: await readToken(request) })) !== null;
}

/** Returns the header that removes the cookie. */
export async function forgetPendingSignIn(): Promise<string> {
  return pendingCookie().serialize("", { maxAge: 0 });
}
