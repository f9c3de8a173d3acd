import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AdminPage } from "~/components/admin/admin-page";
import { Time } from "~/components/time";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { translatorFor } from "~/i18n/messages.server";
import { findUsers } from "~/models/admin/find-users.server";
import { requireAdmin } from "~/server/admin/require-admin.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  await requireAdmin(request, locale);
  const query = new URL(request.url).searchParams.get("q")?.trim().slice(0, 300) ?? "";
  const title = translatorFor(locale)("admin.title");
  return { title, locale, query, users: query ? await findUsers(query) : [] };
}

export default function Admin() {
  const t = useTranslations();
  const { title, locale, query, users } = useLoaderData<typeof loader>();
  return (
    <AdminPage title={title} lead={t("admin.lead")} query={query}>
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
                  <Time at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <p>
        <a href={`/${locale}/admin/figures`}>{t("figures.title")}</a>
      </p>
    </AdminPage>
  );
}
