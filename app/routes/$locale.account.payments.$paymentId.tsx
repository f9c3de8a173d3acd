import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { PaymentReceipt } from "~/components/billing/payment-receipt";
import { ReceiptPage } from "~/components/billing/receipt-page";
import { usePaymentWords } from "~/components/billing/use-payment-words";
import { useMoney } from "~/components/use-money";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { getPayment } from "~/models/billing/payments.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId, email } = await requirePageUser(request, locale);
  const payment = await getPayment({ paymentId: params.paymentId ?? "", userId });
  if (!payment) throw new Response(null, { status: 404 });
  return { title: translatorFor(locale)("receipt.title"), email, payment, seller: getEnv().seller };
}

export default function SubscriptionPayment() {
  const t = useTranslations();
  const { email, payment, seller } = useLoaderData<typeof loader>();
  const money = useMoney();
  const item = usePaymentWords().item(payment);
  const { amount, currency } = payment;
  const title =
    amount !== null && currency !== null
      ? t("receipt.leadOrder", { item, amount: money(amount, currency) })
      : t("receipt.title");
  return (
    <ReceiptPage
      title={title}
      note={t("receipt.invoiceAtProvider")}
      reference={payment.providerPaymentId ?? payment.id}
    >
      <PaymentReceipt payment={payment} email={email} seller={seller} />
    </ReceiptPage>
  );
}
