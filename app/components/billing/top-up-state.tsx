import { useTranslations } from "use-intl";
import { findPack } from "~/catalog";
import { cardBrand } from "~/components/billing/card-brand";
import { providerName } from "~/components/billing/provider-name";
import type { ShownTopUp } from "~/components/billing/shown-top-up";
import { useOffReason } from "~/components/billing/use-off-reason";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icon";
import { Notice } from "~/components/ui/notice";
import { useDay } from "~/components/use-day";
import { useMoney } from "~/components/use-money";

const PROVIDER = providerName("stripe");

/** Whether packs are bought, on which terms, with which card, and the way to end it at once. */
export function TopUpState({ topUp }: { topUp: ShownTopUp }) {
  const t = useTranslations();
  const day = useDay();
  const money = useMoney();
  const reason = useOffReason(topUp);
  const cardWords = useCardWords();
  const { terms, isOn, agreedAt, month, attempts, card } = topUp;
  if (!terms || (!card && !topUp.off)) return null;
  const { threshold, skuKey, agreedAmount, agreedCurrency, monthlyAmount } = terms;
  const credits = terms.agreedCredits ?? findPack(skuKey)?.credits ?? 0;
  const monthly = money(monthlyAmount, agreedCurrency);
  const isUnderWay = attempts.some(({ status }) =>
    ["claimed", "asked", "unknown"].includes(status),
  );
  return (
    <Card
      id="top-up"
      title={t("topUp.title")}
      aside={
        <Badge tone={isOn ? "good" : "neutral"}>{isOn ? t("topUp.on") : t("topUp.off")}</Badge>
      }
    >
      <div className="stack">
        {reason ? <Notice tone="warn">{reason}</Notice> : null}
        {isUnderWay ? <Notice tone="info">{t("topUp.openPayment")}</Notice> : null}
        <ul className="ticks ticks-plain">
          {isOn ? (
            <li>
              <Icon name="receipt" />
              <span>
                {t("topUp.summary", {
                  threshold,
                  item: t("pricing.packCredits", { credits }),
                  price: money(agreedAmount, agreedCurrency),
                  monthly,
                })}{" "}
                {agreedAt ? t("topUp.agreed", { date: day(agreedAt) }) : null}
              </span>
            </li>
          ) : null}
          {isOn ? (
            <li>
              <Icon name="cal" />
              <span>
                {t("topUp.spent", {
                  spent: money(month.spent, agreedCurrency),
                  monthly,
                  date: day(month.endsAt),
                })}
              </span>
            </li>
          ) : null}
          {card ? (
            <li>
              <Icon name="card" />
              <span>{cardWords(card)}</span>
            </li>
          ) : null}
        </ul>
        {card ? (
          <form method="post" className="stack">
            <div className="row">
              <Button look="danger-quiet" name="intent" value="off">
                {isOn ? t("topUp.turnOff") : t("topUp.removeCard")}
              </Button>
            </div>
            <p className="small muted">{t("topUp.turnOffHint")}</p>
          </form>
        ) : null}
      </div>
    </Card>
  );
}

function useCardWords(): (card: NonNullable<ShownTopUp["card"]>) => string {
  const t = useTranslations();
  return (card) => {
    if (card.status === "gone") return t("topUp.cardGone", { provider: PROVIDER });
    if (card.status === "limited") return t("topUp.cardLimited");
    if (card.status === "unknown") return t("topUp.cardUnknown", { provider: PROVIDER });
    const { brand, lastFour: end } = card;
    return t("topUp.card", { brand: cardBrand(brand), end, provider: PROVIDER });
  };
}
