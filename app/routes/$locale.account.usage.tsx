import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTION_KEYS } from "~/catalog";
import { AccountPage } from "~/components/account/account-page";
import { HistoryHead } from "~/components/account/history-head";
import { HistoryPager } from "~/components/account/history-pager";
import { UtcNote } from "~/components/account/utc-note";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import { Chips } from "~/components/ui/chips";
import { EmptyState } from "~/components/ui/empty-state";
import { RunTable } from "~/components/usage/run-table";
import { UsageSums } from "~/components/usage/usage-sums";
import { translatorFor } from "~/i18n/messages.server";
import { listUsedActions } from "~/models/accounts/movements.server";
import { listUsage, sumUsage } from "~/models/accounts/usage.server";
import { accountOf } from "~/models/metering/runs.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";

const DAYS = 30;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const accountId = accountOf(await requirePageUser(request, locale));
  const { searchParams } = new URL(request.url);
  const action = ACTION_KEYS.find((key) => key === searchParams.get("action")) ?? null;
  const cursor = searchParams.get("cursor");
  const [actions, sums, { runs, nextCursor }] = await Promise.all([
    listUsedActions(accountId),
    sumUsage({ accountId, days: DAYS }),
    listUsage({ accountId, action, cursor }),
  ]);
  const title = translatorFor(locale)("usage.title");
  return { title, locale, action, actions, sums, runs, nextCursor, isFirstPage: cursor === null };
}

/** The use of the account's credits: each run, and sums by action and day. */
export default function Usage() {
  const t = useTranslations();
  const { title, locale, action, actions, sums, runs, nextCursor, isFirstPage } =
    useLoaderData<typeof loader>();
  const path = `/${locale}/account/usage`;
  if (actions.length === 0)
    return (
      <AccountPage title={title}>
        <EmptyState art="credits" title={t("usage.emptyTitle")}>
          <p>{t("usage.empty")}</p>
        </EmptyState>
      </AccountPage>
    );
  return (
    <AccountPage title={title} lead={t("usage.lead")}>
      <UsageSums sums={sums} days={DAYS} />
      <section className="stack" aria-labelledby="runs">
        <HistoryHead id="runs" title={t("usage.all")} path={path} />
        {actions.length > 1 ? (
          <Chips
            label={t("credits.show")}
            chips={[
              { href: path, text: t("credits.kindAll"), isHere: action === null },
              ...actions.map((key) => ({
                href: `${path}?action=${key}`,
                text: t(ACTION_VIEWS[key].words.name),
                isHere: key === action,
              })),
            ]}
          />
        ) : null}
        <RunTable runs={runs} />
        <HistoryPager
          path={path}
          query={action === null ? {} : { action }}
          isFirstPage={isFirstPage}
          nextCursor={nextCursor}
        />
        <UtcNote />
      </section>
    </AccountPage>
  );
}
