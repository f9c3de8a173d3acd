import { cookieName } from "~/utils/cookie-name";
import { cookiePairs } from "~/utils/cookie-pairs";

/** How a visitor wants the pages; `system` follows the device. */
export type Theme = "light" | "dark" | "system";

/** Its value is a theme's name alone, neither signed nor secret. */
export const THEME_COOKIE = "theme";

/**
 * Returns the theme of this name, and `system` for anything else: the theme is part of the key of kept
 * pages, and must not have more values than pages are kept for.
 */
export function parseTheme(name: unknown): Theme {
  return name === "light" || name === "dark" ? name : "system";
}

/** Returns the theme in a `Cookie` header. */
export function themeFromCookies(cookies: string | null | undefined, siteUrl: URL): Theme {
  const own = cookieName(THEME_COOKIE, siteUrl);
  return parseTheme(cookiePairs(cookies).find(([name]) => name === own)?.[1]);
}
