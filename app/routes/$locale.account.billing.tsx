import type { LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { OrderTable } from "~/components/billing/order-table";
import { PaymentTable } from "~/components/billing/payment-table";
import { SubscriptionCard } from "~/components/billing/subscription-card";
import { Button, ButtonLink } from "~/components/button";
import { DoneNotice } from "~/components/done-notice";
import { Page } from "~/components/page";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { requirePageUser } from "~/server/session.server";
import { pageHeaders } from "~/utils/page-headers";
import { getBilling, portalFromForm, ROWS_SHOWN } from "./$locale.account.billing.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const { subscriptions, payments, orders } = await getBilling(userId);
  return {
    title: translatorFor(locale)("billing.title"),
    locale,
    done: new URL(request.url).searchParams.get("done"),
    subscriptions,
    payments,
    hasOlderPayments: payments.length === ROWS_SHOWN,
    orders,
    hasOlderOrders: orders.length === ROWS_SHOWN,
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  return portalFromForm(request, { user, locale });
});

export default function Billing() {
  const t = useTranslations();
  const { locale, done, subscriptions, payments, orders, ...more } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  return (
    <Page title={t("billing.title")} lead={t("billing.lead")}>
      <PaymentRefusal refusal={refusal} />
      <DoneNotice
        done={done}
        texts={{
          canceled: t("billing.canceled"),
          ended: t("billing.canceledNow"),
          changed: t("billing.changed"),
          planned: t("billing.planned"),
          kept: t("billing.kept"),
        }}
      />
      <section className="grid gap-4">
        <h2 className="text-xl font-semibold">{t("billing.plan")}</h2>
        {subscriptions.map((subscription) => (
          <SubscriptionCard key={subscription.id} subscription={subscription} />
        ))}
        {subscriptions.length > 0 ? (
          <form method="post" data-reload-on-return className="flex flex-wrap items-center gap-3">
            <Button name="intent" value="portal">
              {t("billing.manage")}
            </Button>
            <p className="text-sm text-ink-muted">{t("billing.manageHint")}</p>
          </form>
        ) : (
          <div className="grid justify-items-start gap-4 rounded-md border border-line p-6">
            <p className="text-ink-muted">{t("billing.noPlan")}</p>
            <ButtonLink href={`/${locale}/pricing`}>{t("billing.seePlans")}</ButtonLink>
          </div>
        )}
      </section>
      {payments.length > 0 ? (
        <section className="grid gap-4">
          <h2 className="text-xl font-semibold">{t("billing.payments")}</h2>
          <PaymentTable payments={payments} />
          {more.hasOlderPayments ? (
            <p className="text-sm text-ink-muted">
              {t("billing.newestPayments", { count: payments.length })}
            </p>
          ) : null}
        </section>
      ) : null}
      <section className="grid gap-4">
        <h2 className="text-xl font-semibold">{t("billing.orders")}</h2>
        {orders.length > 0 ? (
          <OrderTable orders={orders} />
        ) : (
          <div className="grid justify-items-start gap-4 rounded-md border border-line p-6">
            <p className="text-ink-muted">{t("billing.noOrders")}</p>
            <a href={`/${locale}/pricing`} className="text-accent underline">
              {t("billing.buyCredits")}
            </a>
          </div>
        )}
        {more.hasOlderOrders ? (
          <p className="text-sm text-ink-muted">
            {t("billing.newestOrders", { count: orders.length })}
          </p>
        ) : null}
      </section>
    </Page>
  );
}
