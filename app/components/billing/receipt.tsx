import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { providerName } from "~/components/billing/provider-name";
import { useOrderStatus } from "~/components/billing/use-order-status";
import { useMoney } from "~/components/use-money";
import type { OrderStatus } from "~/generated/prisma/enums";

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
export function Receipt({ order, email }: { order: ReceiptOrder; email: string }) {
  const t = useTranslations();
  const format = useFormatter();
  const money = useMoney();
  const statusName = useOrderStatus();
  const { amountRefunded, amountDisputed, creditsReversed, currency, paidAt } = order;
  const time = (at: Date) => (
    <time dateTime={at.toISOString()}>
      {format.dateTime(at, { dateStyle: "long", timeStyle: "short" })}
    </time>
  );
  return (
    <dl className="grid max-w-text gap-y-3 sm:grid-cols-[auto_1fr] sm:gap-x-8">
      <Line label={t("receipt.number")}>{order.id}</Line>
      <Line label={t("receipt.account")}>{email}</Line>
      <Line label={t("receipt.ordered")}>{time(order.createdAt)}</Line>
      {paidAt ? <Line label={t("receipt.paid")}>{time(paidAt)}</Line> : null}
      <Line label={t("billing.item")}>{t("pricing.packCredits", { credits: order.credits })}</Line>
      <Line label={t("receipt.amount")}>{money(order.amount, currency)}</Line>
      <Line label={t("billing.status")}>{statusName(order.status)}</Line>
      {amountRefunded > 0 ? (
        <Line label={t("receipt.refunded")}>{money(amountRefunded, currency)}</Line>
      ) : null}
      {amountDisputed > 0 ? (
        <Line label={t("receipt.disputed")}>{money(amountDisputed, currency)}</Line>
      ) : null}
      {creditsReversed > 0 ? (
        <Line label={t("receipt.creditsTaken")}>{format.number(creditsReversed)}</Line>
      ) : null}
      <Line label={t("receipt.provider")}>{providerName(order.provider)}</Line>
      <Line label={t("receipt.reference")}>
        {order.providerPaymentId ?? t("receipt.noReference")}
      </Line>
    </dl>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid items-baseline gap-x-8 sm:col-span-2 sm:grid-cols-subgrid">
      <dt className="text-sm text-ink-muted">{label}</dt>
      <dd className="tabular-nums wrap-anywhere">{children}</dd>
    </div>
  );
}
