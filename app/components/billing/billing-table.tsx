import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { ListedOrder } from "~/components/billing/listed-order";
import type { ListedPayment } from "~/components/billing/listed-payment";
import { useOrderStatus } from "~/components/billing/use-order-status";
import { usePaymentWords } from "~/components/billing/use-payment-words";
import { Time } from "~/components/time";
import { Badge, type BadgeTone } from "~/components/ui/badge";
import { Coin } from "~/components/ui/coin";
import { DataTable } from "~/components/ui/data-table";
import { Icon } from "~/components/ui/icon";
import { useMoney } from "~/components/use-money";

interface BillingRow {
  id: string;
  kind: "order" | "payment";
  at: Date;
  name: string;
  note: string;
  status: string;
  tone: BadgeTone;
  amount: string;
  path: string;
}

interface BillingTableProps {
  payments: ListedPayment[];
  orders: ListedOrder[];
}

/** The user's payments for plans and packs, newest first, each with a link to its receipt. */
export function BillingTable({ payments, orders }: BillingTableProps) {
  const t = useTranslations();
  const rows = [...usePaymentRows(payments), ...useOrderRows(orders)].sort(
    (a, b) => b.at.getTime() - a.at.getTime(),
  );
  return (
    <DataTable
      caption={t("billing.paymentsCaption")}
      columns={[
        t("billing.item"),
        t("billing.date"),
        t("billing.status"),
        t("billing.amount"),
        t("billing.receipt"),
      ]}
      endFrom={3}
    >
      {rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </DataTable>
  );
}

function Row({ row }: { row: BillingRow }) {
  const t = useTranslations();
  const { kind, at, name, note, status, tone, amount, path } = row;
  return (
    <tr>
      <td className="first">
        <div className="what">
          <span className={kind === "order" ? "thumb thumb-icon thumb-coin" : "thumb thumb-icon"}>
            {kind === "order" ? <Coin /> : <Icon name="cal" />}
          </span>
          <div>
            <b>{name}</b>
            <small>{note}</small>
          </div>
        </div>
      </td>
      <td className="when rest">
        <Time at={at} />
      </td>
      <td className="rest">
        <Badge tone={tone}>{status}</Badge>
      </td>
      <td className="end amount">
        <b>{amount}</b>
      </td>
      <td className="end second">
        <a href={path} className="link-24">
          {t("billing.receipt")}
          <span className="sr-only"> {t("billing.receiptOf", { item: name })}</span>
        </a>
      </td>
    </tr>
  );
}

function usePaymentRows(payments: ListedPayment[]): BillingRow[] {
  const { locale } = useParams();
  const money = useMoney();
  const words = usePaymentWords();
  return payments.map((payment) => {
    const { id, startsAt, amount, currency, amountReturned, closedAt } = payment;
    const isPaid = amount !== null && amountReturned === 0 && !closedAt;
    return {
      id,
      kind: "payment",
      at: startsAt,
      name: words.item(payment),
      note: words.span(payment, "medium"),
      status: words.status(payment),
      tone: isPaid ? "good" : "neutral",
      amount: amount === null || currency === null ? "–" : money(amount, currency),
      path: `/${locale}/account/payments/${id}`,
    };
  });
}

const ORDER_TONES: Record<ListedOrder["status"], BadgeTone> = {
  pending: "neutral",
  paid: "good",
  partially_refunded: "neutral",
  refunded: "neutral",
  disputed: "warn",
};

function useOrderRows(orders: ListedOrder[]): BillingRow[] {
  const t = useTranslations();
  const { locale } = useParams();
  const money = useMoney();
  const statusName = useOrderStatus();
  return orders.map(({ id, credits, amount, currency, status, createdAt }) => ({
    id,
    kind: "order",
    at: createdAt,
    name: t("billing.packOf", { credits }),
    note: t("billing.pack"),
    status: statusName(status),
    tone: ORDER_TONES[status],
    amount: money(amount, currency),
    path: `/${locale}/account/orders/${id}`,
  }));
}
