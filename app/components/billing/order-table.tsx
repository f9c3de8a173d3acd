import { Link, useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { useOrderStatus } from "~/components/billing/use-order-status";
import { CardLabel, CELL, HEAD } from "~/components/card-table";
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

/** The user's orders: a table on wide screens, cards on narrow ones. */
export function OrderTable({ orders }: { orders: ListedOrder[] }) {
  const t = useTranslations();
  return (
    <table className="w-full text-left max-sm:block">
      <caption className="sr-only">{t("billing.orders")}</caption>
      <thead className="border-b border-line text-sm text-ink-muted max-sm:sr-only">
        <tr>
          <th scope="col" className={HEAD}>
            {t("billing.date")}
          </th>
          <th scope="col" className={HEAD}>
            {t("billing.item")}
          </th>
          <th scope="col" className={`${HEAD} text-right`}>
            {t("billing.amount")}
          </th>
          <th scope="col" className={HEAD}>
            {t("billing.status")}
          </th>
          <th scope="col" className={HEAD}>
            {t("billing.receipt")}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:grid max-sm:gap-4">
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </tbody>
    </table>
  );
}

function OrderRow({ order }: { order: ListedOrder }) {
  const t = useTranslations();
  const format = useFormatter();
  const money = useMoney();
  const statusName = useOrderStatus();
  const { locale } = useParams();
  const date = format.dateTime(order.createdAt, { dateStyle: "medium", timeStyle: "short" });
  return (
    <tr className="border-b border-line max-sm:block max-sm:rounded-md max-sm:border max-sm:p-4">
      <td className={CELL}>
        <CardLabel>{t("billing.date")}</CardLabel>
        <time dateTime={order.createdAt.toISOString()}>{date}</time>
      </td>
      <th scope="row" className={`${CELL} font-medium`}>
        <CardLabel>{t("billing.item")}</CardLabel>
        {t("pricing.packCredits", { credits: order.credits })}
      </th>
      <td className={`${CELL} text-right tabular-nums`}>
        <CardLabel>{t("billing.amount")}</CardLabel>
        {money(order.amount, order.currency)}
      </td>
      <td className={CELL}>
        <CardLabel>{t("billing.status")}</CardLabel>
        {statusName(order.status)}
      </td>
      <td className="py-2">
        <Link
          to={`/${locale}/account/orders/${order.id}`}
          className="inline-flex min-h-6 items-center text-accent underline"
          aria-label={t("billing.receiptOf", { date })}
        >
          {t("billing.receipt")}
        </Link>
      </td>
    </tr>
  );
}
