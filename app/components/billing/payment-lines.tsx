import { useTranslations } from "use-intl";
import { cardBrand } from "~/components/billing/card-brand";
import { providerName } from "~/components/billing/provider-name";
import { Icon } from "~/components/ui/icon";
import { useDay } from "~/components/use-day";
import { useMoney } from "~/components/use-money";
import type { ShownOutlook } from "~/models/billing/subscriptions/outlook.server";

/** List items: by which card a plan is paid, and its next invoice, as far as its provider tells. */
export function PaymentLines({
  provider: name,
  outlook,
}: {
  provider: string;
  outlook: ShownOutlook | null;
}) {
  const t = useTranslations();
  const day = useDay();
  const money = useMoney();
  const provider = providerName(name);
  const card = outlook?.status === "known" ? outlook.card : null;
  const invoice = outlook?.status === "known" ? outlook.nextInvoice : null;
  return (
    <>
      <li>
        <Icon name="card" />
        <span>
          {card
            ? t("billing.cardAt", { brand: cardBrand(card.brand), end: card.lastFour, provider })
            : t("billing.paidAt", { provider })}
        </span>
      </li>
      {invoice ? (
        <li>
          <Icon name="receipt" />
          <span>
            {invoice.price
              ? t("billing.nextInvoice", {
                  date: day(invoice.at),
                  amount: money(invoice.price.amount, invoice.price.currency),
                })
              : t("billing.nextInvoiceAt", { date: day(invoice.at), provider })}
          </span>
        </li>
      ) : null}
      {outlook?.status === "unknown" ? (
        <li>
          <Icon name="receipt" />
          <span>{t("billing.outlookUnknown", { provider })}</span>
        </li>
      ) : null}
      {outlook?.status === "limited" ? (
        <li>
          <Icon name="receipt" />
          <span>{t("billing.outlookLimited")}</span>
        </li>
      ) : null}
    </>
  );
}
