import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import type { ListedPayment } from "~/components/billing/listed-payment";
import { usePaymentWords } from "~/components/billing/use-payment-words";
import { CardTable } from "~/components/card-table";
import { useMoney } from "~/components/use-money";

/** The user's payments for subscriptions, each with a link to its receipt. */
export function PaymentTable({ payments }: { payments: ListedPayment[] }) {
  const t = useTranslations();
  const format = useFormatter();
  const money = useMoney();
  const words = usePaymentWords();
  const { locale } = useParams();
  const day = (at: Date) => format.dateTime(at, { dateStyle: "medium" });
  return (
    <CardTable
      caption={t("billing.payments")}
      rows={payments}
      keyOf={({ id }) => id}
      columns={[
        {
          label: t("billing.paidPeriod"),
          cell: (payment) => words.span(payment, "medium"),
        },
        { label: t("billing.item"), kind: "name", cell: (payment) => words.item(payment) },
        {
          label: t("billing.amount"),
          kind: "number",
          cell: ({ amount, currency }) =>
            amount === null || currency === null ? "–" : money(amount, currency),
        },
        { label: t("billing.status"), cell: (payment) => words.status(payment) },
        {
          label: t("billing.receipt"),
          kind: "actions",
          cell: ({ id, startsAt }) => (
            <a
              href={`/${locale}/account/payments/${id}`}
              className="inline-flex min-h-6 items-center text-accent underline"
              aria-label={t("billing.receiptOf", { date: day(startsAt) })}
            >
              {t("billing.receipt")}
            </a>
          ),
        },
      ]}
    />
  );
}
