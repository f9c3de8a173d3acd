import { useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import type { Features } from "~/components/frame/frame-data";
import { ThemeForm } from "~/components/frame/theme-form";
import { useHere } from "~/components/frame/use-here";
import { type NavLink, useNavLinks } from "~/components/frame/use-nav-links";
import { Mark } from "~/components/ui/mark";
import { LOCALE_NAMES, LOCALES, type Locale } from "~/i18n/locale";
import type { Support } from "~/utils/support";
import type { Theme } from "~/utils/theme";

interface SiteFooterProps {
  locale: Locale;
  isSignedIn: boolean;
  theme: Theme;
  features: Features;
  support: Support;
}

export function SiteFooter({ locale, isSignedIn, theme, features, support }: SiteFooterProps) {
  const t = useTranslations();
  const { product, account, credits, signIn, signUp, legal } = useNavLinks(locale, features);
  const [overview, ...billing] = account;
  const own = isSignedIn && overview ? [overview, credits, ...billing] : [signIn, signUp];
  const help = [
    ...(support.url ? [{ href: support.url, text: t("nav.helpPage") }] : []),
    ...(support.email ? [{ href: `mailto:${support.email}`, text: support.email }] : []),
  ];
  return (
    <footer className="site-footer">
      <div className="wrap site-footer-in">
        <div className="site-footer-about">
          <a className="brand" href={`/${locale}`}>
            <Mark />
            <span>{PRODUCT_NAME}</span>
          </a>
          <p>{t("nav.tagline")}</p>
        </div>
        <nav aria-label={t("nav.footer")} className="contents">
          {product.length > 0 ? <LinkGroup title={t("nav.product")} links={product} /> : null}
          <LinkGroup title={t("nav.yourAccount")} links={own} />
          <LinkGroup title={t("nav.legal")} links={legal} />
          {help.length > 0 ? <LinkGroup title={t("nav.help")} links={help} /> : null}
        </nav>
        <div className="site-footer-end">
          <Languages locale={locale} />
          <ThemeForm locale={locale} theme={theme} />
        </div>
      </div>
    </footer>
  );
}

function LinkGroup({ title, links }: { title: string; links: Pick<NavLink, "href" | "text">[] }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {links.map(({ href, text }) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Links to this page in the other languages. */
function Languages({ locale }: { locale: Locale }) {
  const t = useTranslations();
  const here = useHere();
  return (
    <nav className="langs" aria-label={t("nav.languages")}>
      {LOCALES.map((other) => (
        <a
          key={other}
          href={`/${other}${here}`}
          lang={other}
          hrefLang={other}
          aria-current={other === locale ? "true" : undefined}
        >
          {LOCALE_NAMES[other]}
        </a>
      ))}
    </nav>
  );
}
