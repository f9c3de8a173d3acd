import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { HistoryPager } from "~/components/account/history-pager";
import { UtcNote } from "~/components/account/utc-note";
import { AdminPage } from "~/components/admin/admin-page";
import { SeenRunCard } from "~/components/admin/seen-run-card";
import { Time } from "~/components/time";
import { translatorFor } from "~/i18n/messages.server";
import { lookAtContent } from "~/models/admin/user-content.server";
import { seenRuns } from "~/server/admin/content-view.server";
import { requireAdmin } from "~/server/admin/require-admin.server";
import { requireUserParam } from "~/server/admin/user-param.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: actor } = await requireAdmin(request, locale);
  const userId = requireUserParam(params);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const seen = await lookAtContent({ actor, userId, cursor });
  if (!seen) throw new Response(null, { status: 404 });
  const { until, runs: used, nextCursor } = seen;
  const title = translatorFor(locale)("admin.content.title");
  const runs = await seenRuns(used, until);
  return { title, locale, userId, until, runs, nextCursor, isFirstPage: cursor === null };
}

export { refusePost as action } from "~/server/admin/refuse-post.server";

/** A person's requests and results, while they let the support look. */
export default function AdminContent() {
  const t = useTranslations();
  const { title, locale, userId, until, runs, nextCursor, isFirstPage } =
    useLoaderData<typeof loader>();
  const path = `/${locale}/admin/users/${userId}`;
  return (
    <AdminPage
      title={title}
      lead={
        <>
          {t("admin.content.lead")} <Time at={until} />
        </>
      }
    >
      <p>
        <a href={path} className="link-24">
          {t("admin.back")}
        </a>
      </p>
      {runs.length === 0 ? <p className="muted">{t("admin.none")}</p> : null}
      {runs.map((run) => (
        <SeenRunCard key={run.id} run={run} />
      ))}
      <HistoryPager
        path={`${path}/content`}
        query={{}}
        isFirstPage={isFirstPage}
        nextCursor={nextCursor}
      />
      <UtcNote />
    </AdminPage>
  );
}
