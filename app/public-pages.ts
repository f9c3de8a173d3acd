import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "~/i18n/locale";
import { withoutTrailingSlashes } from "~/utils/trailing-slashes";

/** The pictures in `public/og/` that stand for a shared link. `npm run brand` draws them. */
export type ShareImage = "home" | "pricing" | "page";

interface PublicPage {
  /** Follows the language, and is empty for the home page. */
  path: string;
  /** The message key of its name; null for the home page, which has the product's. */
  title: string | null;
  /** The message key of the line that search results show. */
  description: `meta.${string}`;
  image: ShareImage;
}

/** Every page that a search engine may list. All others tell it not to. */
export const PUBLIC_PAGES = [
  { path: "", title: null, description: "meta.home", image: "home" },
  { path: "/pricing", title: "pricing.title", description: "meta.pricing", image: "pricing" },
  { path: "/sign-up", title: "signUp.title", description: "meta.signUp", image: "page" },
  { path: "/sign-in", title: "signIn.title", description: "meta.signIn", image: "page" },
  { path: "/terms", title: "legal.termsTitle", description: "meta.terms", image: "page" },
  { path: "/privacy", title: "legal.privacyTitle", description: "meta.privacy", image: "page" },
  { path: "/refunds", title: "legal.refundsTitle", description: "meta.refunds", image: "page" },
] as const satisfies readonly PublicPage[];

/** Finds the public page at this path; null for any other path. */
export function findPublicPage(pathname: string) {
  const [, locale, ...rest] = withoutTrailingSlashes(pathname).split("/");
  if (!isLocale(locale)) return null;
  const path = ["", ...rest].join("/");
  return PUBLIC_PAGES.find((page) => page.path === path) ?? null;
}

/** Returns the page's address in one language. */
export function pageUrl(siteOrigin: string, locale: Locale, path: string): string {
  return `${siteOrigin}/${locale}${path}`;
}

/** Lists the page's address in each language, and the default language's for all other readers. */
export function languageVersions(siteOrigin: string, path: string) {
  const versions = LOCALES.map((locale) => ({
    hreflang: locale as string,
    href: pageUrl(siteOrigin, locale, path),
  }));
  return [...versions, { hreflang: "x-default", href: pageUrl(siteOrigin, DEFAULT_LOCALE, path) }];
}
