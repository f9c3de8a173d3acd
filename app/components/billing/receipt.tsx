import { useFormatter, useTranslations } from "use-intl";
import { providerName } from "~/components/billing/provider-name";
import { ReceiptLine, ReceiptLines } from "~/components/billing/receipt-lines";
import { SellerLine } from "~/components/billing/seller-line";
import { useOrderStatus } from "~/components/billing/use-order-status";
import { Time } from "~/components/time";
import { useMoney } from "~/components/use-money";
import type { OrderStatus } from "~/generated/prisma/enums";
import { orderNumber } from "~/utils/order-number";
import type { Seller } from "~/utils/seller";

/** An order as its page's loader returns it. Amounts are in minor units. */
interface ReceiptOrder {
  id: string;
  provider: string;
  providerPaymentId: string | null;
  credits: number;
  amount: number;
  currency: string;
  amountRefunded: number;
  amountDisputed: number;
  creditsReversed: number;
  status: OrderStatus;
  createdAt: Date;
  paidAt: Date | null;
}

/** All details of one order, for its owner to keep. */
export function Receipt({
  order,
  email,
  seller,
}: {
  order: ReceiptOrder;
  email: string;
  seller: Seller | null;
}) {
  const t = useTranslations();
  const format = useFormatter();
  const money = useMoney();
  const statusName = useOrderStatus();
  const { amountRefunded, amountDisputed, creditsReversed, currency, paidAt } = order;
  return (
    <ReceiptLines>
      <ReceiptLine label={t("receipt.number")}>{orderNumber(order.id)}</ReceiptLine>
      <SellerLine seller={seller} provider={order.provider} />
      <ReceiptLine label={t("receipt.buyer")}>{email}</ReceiptLine>
      <ReceiptLine label={t("receipt.ordered")}>
        <Time at={order.createdAt} />
      </ReceiptLine>
      {paidAt ? (
        <ReceiptLine label={t("receipt.paid")}>
          <Time at={paidAt} />
        </ReceiptLine>
      ) : null}
      <ReceiptLine label={t("billing.item")}>
        {t("pricing.packCredits", { credits: order.credits })}
      </ReceiptLine>
      <ReceiptLine label={t("receipt.amount")}>{money(order.amount, currency)}</ReceiptLine>
      <ReceiptLine label={t("receipt.tax")}>
        {t("receipt.taxIncluded", { provider: providerName(order.provider) })}
      </ReceiptLine>
      <ReceiptLine label={t("billing.status")}>{statusName(order.status)}</ReceiptLine>
      {amountRefunded > 0 ? (
        <ReceiptLine label={t("receipt.refunded")}>{money(amountRefunded, currency)}</ReceiptLine>
      ) : null}
      {amountDisputed > 0 ? (
        <ReceiptLine label={t("receipt.disputed")}>{money(amountDisputed, currency)}</ReceiptLine>
      ) : null}
      {creditsReversed > 0 ? (
        <ReceiptLine label={t("receipt.creditsTaken")}>
          {format.number(creditsReversed)}
        </ReceiptLine>
      ) : null}
      <ReceiptLine label={t("receipt.provider")}>{providerName(order.provider)}</ReceiptLine>
      <ReceiptLine label={t("receipt.reference")}>
        {order.providerPaymentId ?? t("receipt.noReference")}
      </ReceiptLine>
    </ReceiptLines>
  );
}
