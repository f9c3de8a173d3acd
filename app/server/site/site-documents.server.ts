import { PRODUCT_NAME } from "~/catalog";
import { LOCALES } from "~/i18n/locale";
import { languageVersions, PUBLIC_PAGES, pageUrl } from "~/public-pages";

/** Tells crawlers where the sitemap is, and to leave out what isn't a page. */
export function robotsTxt(siteOrigin: string): string {
  return [
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /*/auth/",
    "",
    `Sitemap: ${siteOrigin}/sitemap.xml`,
    "",
  ].join("\n");
}

/** Lists every public page in every language, each with its other languages (sitemaps.org). */
export function sitemapXml(siteOrigin: string): string {
  const entries = PUBLIC_PAGES.flatMap(({ path }) => {
    const versions = languageVersions(siteOrigin, path).map(
      ({ hreflang, href }) =>
        `    <xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`,
    );
    return LOCALES.flatMap((locale) => [
      "  <url>",
      `    <loc>${pageUrl(siteOrigin, locale, path)}</loc>`,
      ...versions,
      "  </url>",
    ]);
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    "</urlset>",
    "",
  ].join("\n");
}

/** Describes the site to a phone that keeps it on its home screen (W3C). */
export function webManifest() {
  const icon = (size: number) => ({
    src: `/icons/${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
  });
  return {
    name: PRODUCT_NAME,
    short_name: PRODUCT_NAME,
    start_url: "/",
    display: "minimal-ui",
    background_color: "#f8f8fb",
    theme_color: "#4f46e0",
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      icon(192),
      icon(512),
      { ...icon(512), purpose: "maskable" },
    ],
  };
}
