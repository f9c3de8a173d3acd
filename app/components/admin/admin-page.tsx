import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { PageHead } from "~/components/ui/page-head";
import { SEARCHABLE } from "~/server/admin/read-search";

interface AdminPageProps {
  title: string;
  lead?: ReactNode;
  /** The text that was searched for. */
  query?: string;
  children: ReactNode;
}

/** The body of each admin page: the search, then the page. */
export function AdminPage({ title, lead, query, children }: AdminPageProps) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <main id="main">
      <div className="wrap page">
        <form action={`/${locale}/admin`} className="admin-search">
          <label htmlFor="admin-search">{t("admin.search")}</label>
          <div className="admin-ask">
            <input
              id="admin-search"
              name="q"
              className="input"
              defaultValue={query}
              autoComplete="off"
              aria-describedby="admin-search-hint"
              maxLength={300}
              pattern={SEARCHABLE}
              title={t("admin.searchPattern")}
            />
            <Button look="secondary">{t("admin.find")}</Button>
          </div>
          <p id="admin-search-hint" className="hint">
            {t("admin.searchHint")}
          </p>
        </form>
        <PageHead title={<span className="wrap-anywhere">{title}</span>} lead={lead} />
        <div className="account-parts">{children}</div>
      </div>
    </main>
  );
}
