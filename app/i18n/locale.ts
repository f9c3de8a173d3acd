/** The supported languages, in the order of the language menu. */
export const LOCALES = ["en", "es", "zh"] as const;

export type Locale = (typeof LOCALES)[number];

/** The language of whoever asks for none of the supported ones. */
export const DEFAULT_LOCALE: Locale = "en";

/** The language of the API, the commands and their tests. It stays. */
export const API_LOCALE: Locale = "en";

/** Each language's own name, which is never translated. */
export const LOCALE_NAMES: Record<Locale, string> = { en: "English", es: "Español", zh: "中文" };

export function isLocale(value: string | undefined): value is Locale {
  return LOCALES.some((locale) => locale === value);
}

/**
 * Returns the language in a path's first segment, or the default if the segment isn't a language.
 */
export function localeFromPath(pathname: string): Locale {
  const segment = pathname.split("/")[1];
  return isLocale(segment) ? segment : DEFAULT_LOCALE;
}
