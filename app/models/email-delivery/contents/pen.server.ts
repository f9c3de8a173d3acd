import { PRODUCT_NAME } from "~/catalog";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import type { EmailFrame } from "~/services/emails/email-content";

/** Every email is written with these. */
export interface Pen {
  t: ReturnType<typeof translatorFor>;
  locale: Locale;
  product: string;
  /** The address of a page in the reader's language: `page("account/billing")`. */
  page(path: string, query?: Record<string, string>): string;
  /** A time in the reader's language, with its zone. */
  time(at: Date): string;
  /** A day, in UTC. */
  day(at: Date): string;
}

export function penFor(locale: Locale): Pen {
  const options = { timeZone: "UTC", dateStyle: "long" } as const;
  const day = new Intl.DateTimeFormat(locale, options);
  const time = new Intl.DateTimeFormat(locale, { ...options, timeStyle: "short" });
  return {
    t: translatorFor(locale),
    locale,
    product: PRODUCT_NAME,
    page(path, query = {}) {
      // Never from the request: the client chooses its Host header.
      const url = new URL(`/${locale}/${path}`, getEnv().siteUrl);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    time: (at) => `${time.format(at)} UTC`,
    day: (at) => day.format(at),
  };
}

/** `turnOffUrl` is the page where emails of this kind can be turned off; null if they always come. */
export function frameFor({ t, locale, product }: Pen, turnOffUrl: string | null): EmailFrame {
  return {
    lang: locale,
    product,
    siteUrl: getEnv().siteUrl.origin,
    linkHint: t("mail.linkHint"),
    turnOff: turnOffUrl === null ? null : { label: t("mail.turnOff"), url: turnOffUrl },
  };
}
