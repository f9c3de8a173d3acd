import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { ACTIONS, type ActionKey, creditsFor } from "~/catalog";
import { HoldingsBar } from "~/components/credits/holdings-bar";
import { ButtonLink } from "~/components/ui/button";
import { Coin } from "~/components/ui/coin";
import { useCreditWords } from "~/components/use-credit-words";
import type { Holdings } from "~/models/credits/holdings";

interface BalanceCardProps {
  holdings: Holdings;
  features: { action: ActionKey | null; payments: boolean };
  /** Whether another card has the page's main action. */
  isCalm: boolean;
}

/** The balance, how long it lasts, and the ways to spend and to raise it. */
export function BalanceCard({ holdings, features, isCalm }: BalanceCardProps) {
  const t = useTranslations();
  const { locale } = useParams();
  // Without credits, buying some comes first.
  const { action, payments } = features;
  const canCreate = action && (holdings.balance >= creditsFor(action, 1) || !payments);
  return (
    <section className="card dash-balance" aria-labelledby="balance">
      <BalanceHeading balance={holdings.balance} action={action} />
      <HoldingsBar holdings={holdings} />
      <div className="row row-fill">
        {action ? (
          <ButtonLink
            size="large"
            look={canCreate && !isCalm ? "primary" : "secondary"}
            href={`/${locale}${ACTIONS[action].page}`}
          >
            {t(ACTIONS[action].startKey)}
          </ButtonLink>
        ) : null}
        {payments ? (
          <ButtonLink
            size="large"
            look={canCreate || isCalm ? "secondary" : "primary"}
            href={`/${locale}/pricing`}
          >
            {t("account.buy")}
          </ButtonLink>
        ) : null}
      </div>
    </section>
  );
}

interface BalanceHeadingProps {
  balance: number;
  /** The action that credits are counted in; null to name none. */
  action: ActionKey | null;
}

/** The page's heading: the balance, and what it pays for. */
export function BalanceHeading({ balance, action }: BalanceHeadingProps) {
  const t = useTranslations();
  const format = useFormatter();
  const { bought } = useCreditWords();
  return (
    <h1 id="balance" className="balance">
      <Coin />
      <span className="big">{format.number(balance)}</span>{" "}
      <span className="unit">
        {action && balance >= creditsFor(action, 1)
          ? t("account.unitBuys", { balance, units: bought(action, balance) })
          : t("account.unit", { balance })}
      </span>
    </h1>
  );
}
