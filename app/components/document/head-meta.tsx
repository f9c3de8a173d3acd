import { useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import { LOCALES, type Locale, localeFromPath } from "~/i18n/locale";
import { findPublicPage, languageVersions, pageUrl } from "~/public-pages";

/** A language as Open Graph writes it, with its likeliest region: `en_US`. */
function openGraphLocale(locale: Locale): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  return `${language}_${region}`;
}

interface HeadMetaProps {
  /** Translated; undefined where the page is an error. */
  title: string | undefined;
  /** Undefined where the request failed before the frame. */
  siteOrigin: string | undefined;
}

/** Tells search engines and previews what the page is; private pages and errors stay unlisted. */
export function HeadMeta({ title, siteOrigin }: HeadMetaProps) {
  const { pathname } = useLocation();
  const page = findPublicPage(pathname);
  if (!page || !title || !siteOrigin) return <meta name="robots" content="noindex" />;
  return (
    <PublicMeta
      title={title}
      siteOrigin={siteOrigin}
      page={page}
      locale={localeFromPath(pathname)}
    />
  );
}

interface PublicMetaProps {
  title: string;
  siteOrigin: string;
  page: NonNullable<ReturnType<typeof findPublicPage>>;
  locale: Locale;
}

function PublicMeta({ title, siteOrigin, page, locale }: PublicMetaProps) {
  const t = useTranslations();
  const description = t(page.description);
  const url = pageUrl(siteOrigin, locale, page.path);
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={url} />
      {languageVersions(siteOrigin, page.path).map(({ hreflang, href }) => (
        <link key={hreflang} rel="alternate" hrefLang={hreflang} href={href} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={PRODUCT_NAME} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={openGraphLocale(locale)} />
      {LOCALES.filter((other) => other !== locale).map((other) => (
        <meta key={other} property="og:locale:alternate" content={openGraphLocale(other)} />
      ))}
      <meta property="og:image" content={`${siteOrigin}/og/${page.image}.png`} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={PRODUCT_NAME} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
