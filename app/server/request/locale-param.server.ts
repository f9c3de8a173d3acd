import type { Params } from "@remix-run/react";
import { isLocale, type Locale } from "~/i18n/locale";

/** Returns the `$locale` of the path. @throws Response 404 for an unsupported language */
export function requireLocale(params: Params): Locale {
  if (isLocale(params.locale)) return params.locale;
  throw new Response(null, { status: 404 });
}
