import type { Cookie } from "@remix-run/node";
import { z } from "zod";
import { ownCookie } from "~/server/request/own-cookie.server";
import { SIGN_IN_WAYS, type SignInMethod } from "~/services/auth/sign-in-methods";

let cookie: Cookie | undefined;

/** Holds the name of a way and nothing about a person, so it is neither signed nor secret. */
function lastMethodCookie(): Cookie {
  cookie ??= ownCookie("last-way", { maxAge: 365 * 24 * 60 * 60 });
  return cookie;
}

/** Returns the `Set-Cookie` value that remembers how this browser signed in. */
export function rememberMethod(way: SignInMethod): Promise<string> {
  return lastMethodCookie().serialize(way);
}

/** Returns how this browser signed in last; null if it never did. */
export async function readLastMethod(request: Request): Promise<SignInMethod | null> {
  const value: unknown = await lastMethodCookie().parse(request.headers.get("Cookie"));
  return z.enum(SIGN_IN_WAYS).safeParse(value).data ?? null;
}
