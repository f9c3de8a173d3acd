import { useLocation, useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import { Button } from "~/components/button";
import { LOCALE_NAMES, LOCALES, type Locale } from "~/i18n/locale";

interface FrameProps {
  locale: Locale;
  user: { email: string } | null;
  /** Whether the visitor was just signed out and the browser must drop the pages it kept. */
  forgetPages: boolean;
  features: { storage: boolean; images: boolean; payments: boolean };
  children: ReactNode;
}

const NAV_LINK =
  "inline-flex min-h-10 items-center rounded-md px-2 text-ink no-underline hover:bg-surface aria-[current=page]:font-semibold aria-[current=page]:text-accent";

/** A link that says so on its own page and on those below it. */
function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const isHere = `${useLocation().pathname}/`.startsWith(`${href}/`);
  return (
    <a href={href} aria-current={isHere ? "page" : undefined} className={NAV_LINK}>
      {children}
    </a>
  );
}

/** The frame of every page: skip link, navigation, language menu, footer. */
export function Frame({ locale, user, forgetPages, features, children }: FrameProps) {
  const t = useTranslations();
  return (
    <div className="flex min-h-screen flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:m-2 focus:bg-page focus:p-2"
      >
        {t("nav.skip")}
      </a>
      <header className="border-b border-line">
        <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 max-sm:gap-x-1">
          <a
            href={`/${locale}`}
            className="mr-auto flex items-center gap-2 font-semibold no-underline"
          >
            <img src="/favicon.svg" alt="" width="24" height="24" />
            {PRODUCT_NAME}
          </a>
          {/* Wider by the links' padding, so that their text lines up with the page's edges. */}
          <nav
            aria-label={t("nav.label")}
            className="-mx-2 flex flex-wrap items-center gap-x-2 max-sm:order-1 max-sm:basis-full max-sm:gap-x-0 print:hidden"
          >
            {features.payments ? (
              <NavLink href={`/${locale}/pricing`}>{t("nav.pricing")}</NavLink>
            ) : null}
            {features.images ? (
              <NavLink href={`/${locale}/demo/image-generator`}>{t("nav.generator")}</NavLink>
            ) : null}
            {features.storage ? (
              <NavLink href={`/${locale}/files`}>{t("nav.files")}</NavLink>
            ) : null}
            {user ? (
              <NavLink href={`/${locale}/account`}>{t("nav.account")}</NavLink>
            ) : (
              <>
                <NavLink href={`/${locale}/sign-in`}>{t("nav.signIn")}</NavLink>
                <NavLink href={`/${locale}/sign-up`}>{t("nav.signUp")}</NavLink>
              </>
            )}
          </nav>
          {user ? (
            <form method="post" action={`/${locale}/sign-out`} className="print:hidden">
              <Button look="secondary" title={user.email} className="max-sm:px-2">
                {t("nav.signOut")}
              </Button>
            </form>
          ) : null}
        </div>
      </header>
      <div className="flex-1">{children}</div>
      {forgetPages ? <img src="/forget-pages" alt="" width="0" height="0" /> : null}
      <footer className="border-t border-line print:hidden">
        <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-8 gap-y-2 px-4 py-6 text-sm text-ink-muted">
          <LegalMenu locale={locale} />
          <LanguageMenu locale={locale} />
        </div>
      </footer>
    </div>
  );
}

function LegalMenu({ locale }: { locale: Locale }) {
  const t = useTranslations();
  const pages = [
    { name: "terms", label: t("nav.terms") },
    { name: "privacy", label: t("nav.privacy") },
    { name: "refunds", label: t("nav.refunds") },
  ];
  return (
    <nav aria-label={t("nav.legal")}>
      <ul className="flex flex-wrap gap-x-4">
        {pages.map(({ name, label }) => (
          <li key={name}>
            <a
              href={`/${locale}/${name}`}
              className="inline-flex min-h-6 items-center text-ink-muted underline"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function LanguageMenu({ locale }: { locale: Locale }) {
  const t = useTranslations();
  const { pathname, search } = useLocation();
  // A page that doesn't exist has no translation, and looks the same at every address.
  const isNotFound = useParams()["*"] !== undefined;
  const rest = isNotFound ? "" : pathname.split("/").slice(2).join("/");
  return (
    <nav aria-label={t("nav.languages")}>
      <ul className="-ml-1 flex gap-2">
        {LOCALES.map((other) => (
          <li key={other}>
            <a
              href={`/${other}${rest ? `/${rest}` : ""}${isNotFound ? "" : search}`}
              lang={other}
              hrefLang={other}
              aria-current={other === locale ? "true" : undefined}
              className="inline-flex min-h-6 items-center px-1 text-ink-muted underline aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {LOCALE_NAMES[other]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
