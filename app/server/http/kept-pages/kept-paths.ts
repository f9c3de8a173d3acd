import { LOCALES } from "~/i18n/locale";

/** A response that is rendered once and kept. */
export interface KeptPath {
  /** The address that Remix renders. */
  path: string;
  /** The page's name below its language, which says what cookies change it; null for constants. */
  page: string | null;
  status: 200 | 404;
}

/** Pages below a language that are the same for every signed-out visitor; "" is the home page. */
const PAGES = [
  "",
  "forgot-password",
  "pricing",
  "privacy",
  "refunds",
  "sign-in",
  "sign-up",
  "terms",
] as const;

/** Constant responses: no cookie and no query changes them. */
const CONSTANTS = [
  "/api/openapi.json",
  "/healthz",
  "/manifest.webmanifest",
  "/robots.txt",
  "/security-policy.txt",
  "/sitemap.xml",
];

/** Everything that is kept but the pages for unknown addresses, by path. */
export const KEPT_PATHS: ReadonlyMap<string, KeptPath> = new Map(
  [
    ...LOCALES.flatMap((locale) =>
      PAGES.map((page) => ({ path: page ? `/${locale}/${page}` : `/${locale}`, page })),
    ),
    ...CONSTANTS.map((path) => ({ path, page: null })),
  ].map(({ path, page }) => [path, { path, page, status: 200 }]),
);
