import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { HoldingsBar } from "~/components/credits/holdings-bar";
import { ButtonLink } from "~/components/ui/button";
import { Coin } from "~/components/ui/coin";
import type { Holdings } from "~/models/credits/holdings";

interface BalanceCardProps {
  holdings: Holdings;
  features: { images: boolean; payments: boolean };
  /** Whether another card has the page's main action. */
  isCalm: boolean;
}

/** The balance, how long it lasts, and the ways to spend and to raise it. */
export function BalanceCard({ holdings, features, isCalm }: BalanceCardProps) {
  const t = useTranslations();
  const { locale } = useParams();
  // Without credits, buying some comes first.
  const canCreate =
    features.images && (holdings.balance >= CREDITS_PER_IMAGE || !features.payments);
  return (
    <section className="card dash-balance" aria-labelledby="balance">
      <BalanceHeading balance={holdings.balance} showsImages={features.images} />
      <HoldingsBar holdings={holdings} />
      <div className="row row-fill">
        {features.images ? (
          <ButtonLink
            size="large"
            look={canCreate && !isCalm ? "primary" : "secondary"}
            href={`/${locale}/demo/image-generator`}
          >
            {t("account.create")}
          </ButtonLink>
        ) : null}
        {features.payments ? (
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
  showsImages: boolean;
}

/** The page's heading: the balance, and the images it pays for. */
export function BalanceHeading({ balance, showsImages }: BalanceHeadingProps) {
  const t = useTranslations();
  const format = useFormatter();
  const images = Math.floor(balance / CREDITS_PER_IMAGE);
  return (
    <h1 id="balance" className="balance">
      <Coin />
      <span className="big">{format.number(balance)}</span>{" "}
      <span className="unit">
        {showsImages && images > 0
          ? t("account.unitImages", { balance, images })
          : t("account.unit", { balance })}
      </span>
    </h1>
  );
}
