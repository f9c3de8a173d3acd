import { cloneElement, type ReactElement, type ReactNode } from "react";
import { IntlProvider } from "use-intl";
import type { Locale } from "~/i18n/locale";
import { messagesFor } from "~/i18n/messages.server";

/** Each language's provider, as use-intl rendered it for the first request. */
const rendered = new Map<Locale, ReactElement>();

/**
 * Gives a page the texts of its language. use-intl's own provider makes its formatters of numbers, dates
 * and plurals anew whenever it is rendered, which takes longer than formatting. It renders one element,
 * React's provider of that context; here all requests of a language share this element's value.
 */
export function KeptIntlProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  const provider =
    rendered.get(locale) ??
    IntlProvider({ locale, messages: messagesFor(locale), timeZone: "UTC", children: null });
  rendered.set(locale, provider);
  return cloneElement(provider, undefined, children);
}
