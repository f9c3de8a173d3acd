import Negotiator from "negotiator";
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "~/i18n/locale";

/** Returns the best supported language for an `Accept-Language` header, or the default. */
export function localeFromAcceptLanguage(header: string | null): Locale {
  const negotiator = new Negotiator({ headers: { "accept-language": header ?? undefined } });
  // The default first: it wins where the visitor likes several alike, or any.
  const best = negotiator.language([...new Set([DEFAULT_LOCALE, ...LOCALES])]);
  return isLocale(best) ? best : DEFAULT_LOCALE;
}
