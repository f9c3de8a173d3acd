import { ACTION_KEYS } from "~/catalog";
import { withoutPrefix } from "~/utils/cookie-name";
import { cookiePairs } from "~/utils/cookie-pairs";

/**
 * Cookies of this app, each without the prefix `__Host-`, and the cached pages below a language that look
 * different to a browser that has the cookie. A test compares the list with the cookies in the source.
 * Cookies that aren't listed belong to others, such as analytics, and change no page.
 */
export const COOKIE_EFFECTS = new Map<string, "every page" | readonly string[]>([
  ["session", "every page"],
  ["last-way", ["sign-in"]],
  // Read when a form is sent, when a code is typed, and at the return from a provider.
  ["device", []],
  ["pending-sign-in", []],
  ["oauth-github", []],
  ["oauth-google", []],
  // Shown by the pages that say where a mail went, which aren't cached.
  ["mailed-to", []],
  // Shown by the actions' pages and after a checkout, which aren't cached.
  ...ACTION_KEYS.map((key) => [`${key}-draft`, []] as const),
  // A page is cached once for each theme.
  ["theme", []],
]);

/** Returns true if the `Cookie` header may change this page, so that Remix has to render it. */
export function changesPage(cookies: string | undefined, page: string): boolean {
  return cookiePairs(cookies).some(([name]) => {
    const effect = COOKIE_EFFECTS.get(withoutPrefix(name));
    return effect === "every page" || effect?.includes(page);
  });
}
