import { PRODUCT_NAME } from "~/catalog";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import type { EmailFrame } from "~/services/emails/email-content";
import { supportLink } from "~/utils/support";

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
  const { siteUrl, support } = getEnv();
  const url = supportLink(support);
  return {
    lang: locale,
    product,
    siteUrl: siteUrl.origin,
    linkHint: t("mail.linkHint"),
    turnOff: turnOffUrl === null ? null : { label: t("mail.turnOff"), url: turnOffUrl },
    support: url === null ? null : { label: t("support.write"), url },
  };
}
