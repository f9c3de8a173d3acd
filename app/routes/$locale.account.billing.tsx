import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { UtcNote } from "~/components/account/utc-note";
import { BillingTable } from "~/components/billing/billing-table";
import { PlanCard } from "~/components/billing/plan-card";
import { PortalCard } from "~/components/billing/portal-card";
import { TopUpLink } from "~/components/billing/top-up-link";
import { WhatHappensNext } from "~/components/billing/what-happens-next";
import { DoneNotice } from "~/components/done-notice";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { ButtonLink } from "~/components/ui/button";
import { EmptyState } from "~/components/ui/empty-state";
import { translatorFor } from "~/i18n/messages.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { lacksPortalVerification } from "~/server/payments/payments.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";
import { getBilling, portalFromForm, ROWS_SHOWN } from "./$locale.account.billing.server";
import { findTopUpState } from "./$locale.account.billing_.top-up.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const topUp = await findTopUpState(user);
  const { response, subscriptions, payments, orders, holdings } = await getBilling(user.id);
  const loaded = {
    title: translatorFor(locale)("billing.title"),
    locale,
    done: new URL(request.url).searchParams.get("done"),
    verifyFirst: await lacksPortalVerification(user),
    topUp,
    subscriptions,
    payments,
    hasOlderPayments: payments.length === ROWS_SHOWN,
    orders,
    hasOlderOrders: orders.length === ROWS_SHOWN,
    holdings,
  };
  return response ? data(loaded, response) : loaded;
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  return portalFromForm(request, { user, locale });
}

export default function Billing() {
  const t = useTranslations();
  const { locale, done, subscriptions, holdings, verifyFirst, topUp, ...lists } =
    useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  return (
    <AccountPage>
      <h1 className="sr-only">{t("billing.title")}</h1>
      <PaymentRefusal refusal={refusal} />
      <DoneNotice
        done={done}
        texts={{
          canceled: t("billing.canceled"),
          ended: t("billing.canceledNow"),
          planned: t("billing.planned"),
          kept: t("billing.kept"),
          resumed: t("resumePlan.done"),
        }}
      />
      {subscriptions.map(({ shown, outlook }) => (
        <div key={shown.id} className="dash dash-billing">
          <PlanCard subscription={shown} outlook={outlook} />
          <WhatHappensNext subscription={shown} holdings={holdings} />
        </div>
      ))}
      {subscriptions[0] ? (
        <PortalCard provider={subscriptions[0].shown.provider} verifyFirst={verifyFirst} />
      ) : (
        <EmptyState
          art="plan"
          title={t("billing.noPlanTitle")}
          action={<ButtonLink href={`/${locale}/pricing`}>{t("billing.seePlans")}</ButtonLink>}
        >
          <p>{t("billing.noPlan")}</p>
        </EmptyState>
      )}
      {topUp ? <TopUpLink {...topUp} /> : null}
      <Payments {...lists} />
    </AccountPage>
  );
}

type Lists = Pick<
  ReturnType<typeof useLoaderData<typeof loader>>,
  "payments" | "hasOlderPayments" | "orders" | "hasOlderOrders"
>;

function Payments({ payments, hasOlderPayments, orders, hasOlderOrders }: Lists) {
  const t = useTranslations();
  if (payments.length + orders.length === 0) {
    return (
      <EmptyState art="payments" title={t("billing.noPaymentsTitle")}>
        <p>{t("billing.noPayments")}</p>
      </EmptyState>
    );
  }
  return (
    <section className="stack" aria-labelledby="payments">
      <h2 id="payments" className="h24">
        {t("billing.payments")}
      </h2>
      <BillingTable payments={payments} orders={orders} />
      {hasOlderPayments ? (
        <p className="small muted">{t("billing.newestPayments", { count: payments.length })}</p>
      ) : null}
      {hasOlderOrders ? (
        <p className="small muted">{t("billing.newestOrders", { count: orders.length })}</p>
      ) : null}
      <UtcNote />
    </section>
  );
}
