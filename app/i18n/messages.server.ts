import { createTranslator } from "use-intl/core";
import type { Locale } from "~/i18n/locale";
import en from "./locales/en.json";
import es from "./locales/es.json";
import zh from "./locales/zh.json";

const MESSAGES: Record<Locale, typeof en> = { en, es, zh };

/** Returns all texts of one language; the server has every language loaded. */
export function messagesFor(locale: Locale): typeof en {
  return MESSAGES[locale];
}

/** Returns a translator outside React: for page titles, emails and English API messages. */
export function translatorFor(locale: Locale): Translator {
  const kept = translators.get(locale);
  if (kept) return kept;
  const translator = createTranslator({ locale, messages: messagesFor(locale), timeZone: "UTC" });
  translators.set(locale, translator);
  return translator;
}

type Translator = ReturnType<typeof createTranslator<typeof en>>;

/** Kept, since each new one makes its own formatters. */
const translators = new Map<Locale, Translator>();
