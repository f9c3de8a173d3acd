import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTION_KEYS, type ActionKey } from "~/catalog";
import { AccountPage } from "~/components/account/account-page";
import { BalanceHeading } from "~/components/account/balance-card";
import { HistoryHead } from "~/components/account/history-head";
import { HistoryPager } from "~/components/account/history-pager";
import { UtcNote } from "~/components/account/utc-note";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import { BalanceChart } from "~/components/charts/balance-chart";
import { HoldingsBar } from "~/components/credits/holdings-bar";
import { LotsSection } from "~/components/credits/lots-section";
import { MovementTable } from "~/components/credits/movement-table";
import { NextCreditsNote } from "~/components/credits/next-credits-note";
import { ButtonLink } from "~/components/ui/button";
import { Chips } from "~/components/ui/chips";
import { EmptyState } from "~/components/ui/empty-state";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { MOVEMENT_KINDS, type MovementKind } from "~/models/accounts/movement";
import { listMovements, listUsedActions } from "~/models/accounts/movements.server";
import { listRunningSubscriptions } from "~/models/billing/subscriptions/management.server";
import { soonestCredits } from "~/models/billing/subscriptions/next-credits";
import { listBalancePoints } from "~/models/credits/balance-series.server";
import { getHoldings } from "~/models/credits/holdings.server";
import { listHeldLots, listLotUses } from "~/models/credits/lot-uses.server";
import { accountOf } from "~/models/metering/runs.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";

const CHART_DAYS = 90;

function readQuery(request: Request) {
  const { searchParams } = new URL(request.url);
  const kind = MOVEMENT_KINDS.find((known) => known === searchParams.get("kind")) ?? "all";
  const showsAll = searchParams.get("lots") === "all";
  return { kind, cursor: searchParams.get("cursor"), showsAll, lot: searchParams.get("lot") };
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const { kind, cursor, showsAll, lot } = readQuery(request);
  const [holdings, running, points, used, lots, { movements, nextCursor }] = await Promise.all([
    getHoldings(userId),
    listRunningSubscriptions(userId),
    listBalancePoints({ userId, days: CHART_DAYS }),
    listUsedActions(accountOf({ id: userId })),
    showsAll
      ? listLotUses({ userId, cursor: lot })
      : listHeldLots(userId).then((held) => ({ lots: held, nextCursor: null })),
    listMovements({ userId, kind, cursor }),
  ]);
  const unused = ACTION_KEYS.filter((key) => !used.includes(key));
  const now = new Date();
  const { images, payments } = getEnv();
  return {
    title: translatorFor(locale)("credits.title"),
    locale,
    kind,
    kinds: MOVEMENT_KINDS.filter((each) => !unused.some((key) => key === each)),
    isFirstPage: cursor === null,
    holdings,
    next: soonestCredits(running, now),
    points,
    now,
    movements,
    nextCursor,
    lots: { ...lots, showsAll, isFirstPage: lot === null },
    features: { images: images.enabled, payments: payments.enabled },
  };
}

export default function Credits() {
  const t = useTranslations();
  const { locale, holdings, next, points, now, features, lots, ...list } =
    useLoaderData<typeof loader>();
  const { kind, movements, isFirstPage } = list;
  const isEmpty = movements.length === 0 && kind === "all" && isFirstPage;
  return (
    <AccountPage>
      <section className="card credits-top" aria-labelledby="balance">
        <div className="stack credits-left">
          <BalanceHeading balance={holdings.balance} action={null} />
          <HoldingsBar holdings={holdings} />
          {next ? <NextCreditsNote next={next} /> : null}
          <div className="row">
            {features.payments ? (
              <ButtonLink href={`/${locale}/pricing`}>{t("account.buy")}</ButtonLink>
            ) : null}
            {features.images ? (
              <ButtonLink
                look={features.payments ? "secondary" : "primary"}
                href={`/${locale}/demo/image-generator`}
              >
                {t("account.create")}
              </ButtonLink>
            ) : null}
          </div>
        </div>
        {isEmpty ? null : <BalanceChart points={points} days={CHART_DAYS} now={now} />}
      </section>
      {isEmpty ? (
        <EmptyState art="credits" title={t("credits.emptyTitle")}>
          <p>{t("credits.empty")}</p>
        </EmptyState>
      ) : (
        <>
          <LotsSection path={`/${locale}/account/credits`} {...lots} />
          <Movements locale={locale} {...list} />
        </>
      )}
    </AccountPage>
  );
}

type MovementsProps = {
  locale: string;
  kind: MovementKind;
  kinds: readonly MovementKind[];
  isFirstPage: boolean;
} & Awaited<ReturnType<typeof listMovements>>;

function Movements({ locale, kind, kinds, movements, nextCursor, isFirstPage }: MovementsProps) {
  const t = useTranslations();
  const path = `/${locale}/account/credits`;
  const actionNames = Object.fromEntries(
    ACTION_KEYS.map((key) => [key, t(ACTION_VIEWS[key].words.name)]),
  ) as Record<ActionKey, string>;
  const names: Record<MovementKind, string> = {
    all: t("credits.kindAll"),
    ...actionNames,
    plan: t("credits.kindPlan"),
    packs: t("credits.kindPacks"),
    expired: t("credits.kindExpired"),
    other: t("credits.kindOther"),
  };
  return (
    <section className="stack" aria-labelledby="movements">
      <HistoryHead id="movements" title={t("credits.movements")} path={path} />
      <Chips
        label={t("credits.show")}
        chips={kinds.map((each) => ({
          href: each === "all" ? path : `${path}?kind=${each}`,
          text: names[each],
          isHere: each === kind,
        }))}
      />
      {movements.length > 0 ? (
        <MovementTable movements={movements} />
      ) : (
        <p className="card muted">{t("credits.noneOfKind")}</p>
      )}
      <HistoryPager
        path={path}
        query={kind === "all" ? {} : { kind }}
        isFirstPage={isFirstPage}
        nextCursor={nextCursor}
      />
      <UtcNote />
    </section>
  );
}
