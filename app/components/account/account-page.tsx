import { useLocation, useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { VerificationBanner } from "~/components/account/verification-banner";
import { Icon } from "~/components/ui/icon";
import { PageHead } from "~/components/ui/page-head";
import { Tabs } from "~/components/ui/tabs";

interface AccountPageProps {
  /** Left out by a page that has its own heading. */
  title?: string;
  lead?: ReactNode;
  /** The page that this one belongs to. */
  back?: { path: string; text: string };
  /** Forms and texts are easier to read in a narrow column. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** The body of each page of the account: the account's tabs, then the page. */
export function AccountPage({ title, lead, back, isNarrow = false, children }: AccountPageProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const { pathname } = useLocation();
  return (
    <main id="main">
      <AccountTabs />
      <div className="wrap page">
        {back ? (
          <p className="small back">
            <a
              href={`/${locale}${back.path}`}
              aria-label={t("account.backTo", { page: back.text })}
            >
              <Icon name="back" size={16} />
              {back.text}
            </a>
          </p>
        ) : null}
        {title ? <PageHead title={title} lead={lead} /> : null}
        <div className={isNarrow ? "account-parts account-narrow" : "account-parts"}>
          {hasOwnStatus(pathname) ? null : <VerificationBanner />}
          {children}
        </div>
      </div>
    </main>
  );
}

/** Whether the page says itself whether the address is verified. */
const hasOwnStatus = (pathname: string) => pathname.endsWith("/account/profile");

/** Each tab, and the pages below `/account` that belong to it. */
function AccountTabs() {
  const t = useTranslations();
  const { locale } = useParams();
  const { pathname } = useLocation();
  const here = pathname.slice(`/${locale}/account`.length);
  const tabs = [
    { path: "", text: t("account.overview"), pages: [] },
    { path: "/credits", text: t("credits.title"), pages: ["/credits"] },
    { path: "/usage", text: t("usage.title"), pages: ["/usage"] },
    { path: "/billing", text: t("billing.title"), pages: ["/billing", "/orders", "/payments"] },
    { path: "/profile", text: t("profile.title"), pages: ["/profile", "/email"] },
    { path: "/security", text: t("security.title"), pages: ["/security"] },
    { path: "/api-keys", text: t("apiKeys.title"), pages: ["/api-keys"] },
    { path: "/limits", text: t("limits.title"), pages: ["/limits"] },
    { path: "/data", text: t("accountData.title"), pages: ["/data", "/images", "/delete"] },
  ];
  return (
    <Tabs
      label={t("account.pages")}
      tabs={tabs.map(({ path, text, pages }) => ({
        href: `/${locale}/account${path}`,
        text,
        isHere:
          path === ""
            ? here === ""
            : pages.some((page) => here === page || here.startsWith(`${page}/`)),
      }))}
    />
  );
}
