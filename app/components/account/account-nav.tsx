import { useLocation, useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";

const LINK =
  "inline-flex min-h-10 items-center border-b-2 border-transparent px-1 text-ink-muted no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink";

/** Links to the account's pages, shown on each of them. */
export function AccountNav() {
  const t = useTranslations();
  const { locale } = useParams();
  const { pathname } = useLocation();
  const pages = [
    { path: "", label: t("account.overview") },
    { path: "/profile", label: t("profile.title") },
    { path: "/security", label: t("security.title") },
    { path: "/data", label: t("accountData.title") },
  ];
  return (
    <nav aria-label={t("account.title")} className="border-b border-line">
      <ul className="-mx-1 -mb-px flex flex-wrap gap-x-4">
        {pages.map(({ path, label }) => (
          <li key={path}>
            <a
              href={`/${locale}/account${path}`}
              aria-current={pathname === `/${locale}/account${path}` ? "page" : undefined}
              className={LINK}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
