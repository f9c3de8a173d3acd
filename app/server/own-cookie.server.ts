import { type Cookie, createCookie } from "@remix-run/node";
import { getEnv } from "~/env.server";
import { cookieName } from "~/utils/cookie-name";

/**
 * Makes one of our cookies. All follow one rule: `__Host-` and Secure under https, HttpOnly, and `Lax`, because
 * people come back from providers and mails by links.
 */
export function ownCookie(
  name: string,
  options: { maxAge: number /** Sign it. */; secrets?: string[] },
): Cookie {
  const { siteUrl } = getEnv();
  return createCookie(cookieName(name, siteUrl), {
    httpOnly: true,
    sameSite: "lax",
    secure: siteUrl.protocol === "https:",
    path: "/",
    ...options,
  });
}
