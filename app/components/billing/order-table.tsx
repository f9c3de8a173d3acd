import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { useOrderStatus } from "~/components/billing/use-order-status";
import { CardTable } from "~/components/card-table";
import { Time } from "~/components/time";
import { useMoney } from "~/components/use-money";
import type { OrderStatus } from "~/generated/prisma/enums";

/** An order as its page's loader returns it. `amount` is in minor units. */
export interface ListedOrder {
  id: string;
  credits: number;
  amount: number;
  currency: string;
  status: OrderStatus;
  createdAt: Date;
}

/** The user's orders, each with a link to its receipt. */
export function OrderTable({ orders }: { orders: ListedOrder[] }) {
  const t = useTranslations();
  const format = useFormatter();
  const money = useMoney();
  const statusName = useOrderStatus();
  const { locale } = useParams();
  const dateOf = ({ createdAt }: ListedOrder) =>
    format.dateTime(createdAt, { dateStyle: "medium", timeStyle: "short" });
  return (
    <CardTable
      caption={t("billing.orders")}
      rows={orders}
      keyOf={({ id }) => id}
      columns={[
        { label: t("billing.date"), cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          label: t("billing.item"),
          kind: "name",
          cell: ({ credits }) => t("pricing.packCredits", { credits }),
        },
        {
          label: t("billing.amount"),
          kind: "number",
          cell: ({ amount, currency }) => money(amount, currency),
        },
        { label: t("billing.status"), cell: ({ status }) => statusName(status) },
        {
          label: t("billing.receipt"),
          kind: "actions",
          cell: (order) => (
            <a
              href={`/${locale}/account/orders/${order.id}`}
              className="inline-flex min-h-6 items-center text-accent underline"
              aria-label={t("billing.receiptOf", { date: dateOf(order) })}
            >
              {t("billing.receipt")}
            </a>
          ),
        },
      ]}
    />
  );
}
