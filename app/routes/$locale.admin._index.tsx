import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AdminPage } from "~/components/admin/admin-page";
import { Time } from "~/components/time";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { Notice } from "~/components/ui/notice";
import { translatorFor } from "~/i18n/messages.server";
import { searchUsers } from "~/models/admin/find-users.server";
import { REFUSED, readSearch } from "~/server/admin/read-search";
import { requireAdmin } from "~/server/admin/require-admin.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: actor } = await requireAdmin(request, locale);
  const { query, isKey, wasKey } = readSearch(request);
  // A key leaves the address at once, so that it isn't kept in the browser's history.
  if (isKey) throw redirect(`/${locale}/admin?${REFUSED}`, 303);
  const title = translatorFor(locale)("nav.admin");
  const users = query ? await searchUsers({ actor, text: query }) : [];
  return { title, locale, query, wasKey, users };
}

export { refusePost as action } from "~/server/admin/refuse-post.server";

export default function Admin() {
  const t = useTranslations();
  const { title, locale, query, wasKey, users } = useLoaderData<typeof loader>();
  return (
    <AdminPage title={title} lead={t("admin.lead")} query={query}>
      {wasKey ? <Notice tone="bad">{t("admin.wholeKey")}</Notice> : null}
      {query ? (
        <Card id="found" title={t("admin.found")}>
          {users.length === 0 ? <p className="muted">{t("admin.nobody")}</p> : null}
          <ul className="rows">
            {users.map(({ id, email, createdAt, disabled }) => (
              <li key={id} className="row row-between">
                <a href={`/${locale}/admin/users/${id}`} className="wrap-anywhere">
                  {email}
                </a>
                <span className="row">
                  {disabled ? <Badge tone="bad">{t("admin.disabled")}</Badge> : null}
                  <span className="small muted">
                    {t("admin.since")} <Time at={createdAt} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <p>
        <a href={`/${locale}/admin/figures`} className="link-24">
          {t("figures.title")}
        </a>
      </p>
    </AdminPage>
  );
}
