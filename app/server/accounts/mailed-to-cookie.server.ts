import type { Cookie } from "@remix-run/node";
import { ownCookie } from "~/server/request/own-cookie.server";
import { email } from "~/services/auth/credentials";

let cookie: Cookie | undefined;

/** For ten minutes: the next page says where the mail went, and an address in a URL would be logged. */
function mailedToCookie(): Cookie {
  cookie ??= ownCookie("mailed-to", { maxAge: 10 * 60 });
  return cookie;
}

/** Returns the `Set-Cookie` value that remembers the address that this browser had a link mailed to. */
export function rememberMailedTo(address: string): Promise<string> {
  return mailedToCookie().serialize(address);
}

/** Returns the address that this browser typed last; null if it is gone. Whether it has an account isn't known. */
export async function readMailedTo(request: Request): Promise<string | null> {
  const value: unknown = await mailedToCookie().parse(request.headers.get("Cookie"));
  return email.safeParse(value).data ?? null;
}
