import type { Cookie } from "@remix-run/node";
import { z } from "zod";
import { ownCookie } from "~/server/own-cookie.server";
import { SIGN_IN_WAYS, type SignInWay } from "~/services/auth/sign-in-ways";

let cookie: Cookie | undefined;

/** Holds the name of a way and nothing about a person, so it is neither signed nor secret. */
function lastWayCookie(): Cookie {
  cookie ??= ownCookie("last-way", { maxAge: 365 * 24 * 60 * 60 });
  return cookie;
}

/** Returns the `Set-Cookie` value that remembers how this browser signed in. */
export function rememberWay(way: SignInWay): Promise<string> {
  return lastWayCookie().serialize(way);
}

/** Returns how this browser signed in last; null if it never did. */
export async function readLastWay(request: Request): Promise<SignInWay | null> {
  const value: unknown = await lastWayCookie().parse(request.headers.get("Cookie"));
  return z.enum(SIGN_IN_WAYS).safeParse(value).data ?? null;
}
