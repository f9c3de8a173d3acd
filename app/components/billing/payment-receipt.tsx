import { useTranslations } from "use-intl";
import type { ListedPayment } from "~/components/billing/listed-payment";
import { providerName } from "~/components/billing/provider-name";
import { ReceiptLine, ReceiptLines } from "~/components/billing/receipt-lines";
import { SellerLine } from "~/components/billing/seller-line";
import { usePaymentWords } from "~/components/billing/use-payment-words";
import { useMoney } from "~/components/use-money";
import { orderNumber } from "~/utils/order-number";
import type { Seller } from "~/utils/seller";

interface ReceiptPayment extends ListedPayment {
  provider: string;
  providerPaymentId: string | null;
}

/** All details of one payment for a subscription, for its owner to keep. */
export function PaymentReceipt({
  payment,
  email,
  seller,
}: {
  payment: ReceiptPayment;
  email: string;
  seller: Seller | null;
}) {
  const t = useTranslations();
  const money = useMoney();
  const words = usePaymentWords();
  const { amount, currency, amountReturned, provider } = payment;
  return (
    <ReceiptLines>
      <ReceiptLine label={t("receipt.number")}>{orderNumber(payment.id)}</ReceiptLine>
      <SellerLine seller={seller} provider={payment.provider} />
      <ReceiptLine label={t("receipt.buyer")}>{email}</ReceiptLine>
      <ReceiptLine label={t("billing.item")}>{words.item(payment)}</ReceiptLine>
      <ReceiptLine label={t("billing.paidPeriod")}>{words.span(payment, "long")}</ReceiptLine>
      {amount !== null && currency !== null ? (
        <ReceiptLine label={t("receipt.amount")}>{money(amount, currency)}</ReceiptLine>
      ) : null}
      <ReceiptLine label={t("receipt.tax")}>
        {t("receipt.taxIncluded", { provider: providerName(provider) })}
      </ReceiptLine>
      <ReceiptLine label={t("billing.status")}>{words.status(payment)}</ReceiptLine>
      {amountReturned > 0 && currency !== null ? (
        <ReceiptLine label={t("receipt.refunded")}>{money(amountReturned, currency)}</ReceiptLine>
      ) : null}
      <ReceiptLine label={t("receipt.provider")}>{providerName(provider)}</ReceiptLine>
      <ReceiptLine label={t("receipt.reference")}>
        {payment.providerPaymentId ?? t("receipt.noReference")}
      </ReceiptLine>
    </ReceiptLines>
  );
}
