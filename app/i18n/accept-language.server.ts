import Negotiator from "negotiator";
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "~/i18n/locale";

/** The best of our languages for an `Accept-Language` header; the default if none fits. */
export function localeFromAcceptLanguage(header: string | null): Locale {
  const negotiator = new Negotiator({ headers: { "accept-language": header ?? undefined } });
  const best = negotiator.language([...LOCALES]);
  return isLocale(best) ? best : DEFAULT_LOCALE;
}
