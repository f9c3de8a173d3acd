/** How a visitor wants the pages; `system` follows their device. */
export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "theme";

/** Returns the theme of this name, or `system` for anything else. */
export function parseTheme(value: unknown): Theme {
  return value === "light" || value === "dark" ? value : "system";
}

/** Returns the theme that a `Cookie` header asks for. */
export function themeOfCookies(header: string | null): Theme {
  for (const pair of header?.split(";") ?? []) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === THEME_COOKIE) return parseTheme(value);
  }
  return "system";
}
