import type { Params } from "@remix-run/react";
import { isLocale, type Locale } from "~/i18n/locale";

/** The `$locale` of the path. @throws Response 404 for a language we do not have */
export function requireLocale(params: Params): Locale {
  if (isLocale(params.locale)) return params.locale;
  throw new Response(null, { status: 404 });
}
