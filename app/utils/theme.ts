import { cookiePairs } from "~/utils/cookie-pairs";

/** Themes that a visitor can choose; `system` follows the device. */
export type Theme = "light" | "dark" | "system";

/**
 * Returns the theme in a `Cookie` header. Any value but `light` and `dark` is `system`: the theme is
 * part of the key of kept pages, and must not have more values than pages are kept for.
 */
export function themeFromCookies(cookies: string | null | undefined): Theme {
  const value = cookiePairs(cookies).find(([name]) => name === "theme")?.[1];
  return value === "light" || value === "dark" ? value : "system";
}
