import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Receipt } from "~/components/billing/receipt";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { getOrder } from "~/models/billing/orders/orders.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId, email } = await requirePageUser(request, locale);
  const order = await getOrder({ orderId: params.orderId ?? "", userId });
  if (!order) throw new Response(null, { status: 404 });
  return { title: translatorFor(locale)("receipt.title"), locale, email, order };
}

export default function OrderReceipt() {
  const t = useTranslations();
  const { locale, email, order } = useLoaderData<typeof loader>();
  return (
    <Page title={t("receipt.title")} lead={t("receipt.lead")}>
      <Receipt order={order} email={email} />
      <p className="text-sm text-ink-muted">{t("receipt.noInvoice")}</p>
      <p className="print:hidden">
        <a href={`/${locale}/account/billing`} className="text-accent underline">
          {t("cancelPlan.back")}
        </a>
      </p>
    </Page>
  );
}
