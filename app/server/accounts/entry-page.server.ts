import type { Locale } from "~/i18n/locale";
import { readLastMethod } from "~/server/accounts/last-method-cookie.server";

/**
 * Returns the address where a visitor gets in and then goes on to `redirectTo`: the sign-in page for a
 * browser that signed in before, else the sign-up page. Each has a link to the other that keeps the aim.
 */
export async function entryPath(
  request: Request,
  { locale, redirectTo }: { locale: Locale; redirectTo: string },
): Promise<string> {
  const page = (await readLastMethod(request)) ? "sign-in" : "sign-up";
  return `/${locale}/${page}?${new URLSearchParams({ redirectTo })}`;
}
