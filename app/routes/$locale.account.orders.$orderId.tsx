import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Receipt } from "~/components/billing/receipt";
import { ReceiptPage } from "~/components/billing/receipt-page";
import { useMoney } from "~/components/use-money";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { getOrder } from "~/models/billing/orders/orders.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId, email } = await requirePageUser(request, locale);
  const order = await getOrder({ orderId: params.orderId ?? "", userId });
  if (!order) throw new Response(null, { status: 404 });
  return { title: translatorFor(locale)("receipt.title"), email, order, seller: getEnv().seller };
}

export default function OrderReceipt() {
  const t = useTranslations();
  const { email, order, seller } = useLoaderData<typeof loader>();
  const money = useMoney();
  const title = t("receipt.leadOrder", {
    item: t("billing.packOf", { credits: order.credits }),
    amount: money(order.amount, order.currency),
  });
  return (
    <ReceiptPage title={title} note={t("receipt.noInvoice")} reference={order.id}>
      <Receipt order={order} email={email} seller={seller} />
    </ReceiptPage>
  );
}
