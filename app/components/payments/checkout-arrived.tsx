import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { UtcNote } from "~/components/account/utc-note";
import { providerName } from "~/components/billing/provider-name";
import { Time } from "~/components/time";
import { ButtonLink } from "~/components/ui/button";
import { Facts } from "~/components/ui/facts";
import { Icon } from "~/components/ui/icon";
import { useDay } from "~/components/use-day";
import { useMoney } from "~/components/use-money";
import type { ReturnedCheckout } from "~/models/billing/checkouts/returned-checkout";

interface CheckoutArrivedProps {
  checkout: ReturnedCheckout;
  added: NonNullable<ReturnedCheckout["added"]>;
  /** Credits now. */
  balance: number;
  /** Whether images can be made here. */
  images: boolean;
  /** Whether a prompt waits for these credits. */
  hasDraft: boolean;
}

/** The credits are in: what was bought, the new balance, and the way to spend it. */
export function CheckoutArrived(props: CheckoutArrivedProps) {
  const { checkout, added, balance, images, hasDraft } = props;
  const t = useTranslations();
  const format = useFormatter();
  const day = useDay();
  const { locale } = useParams();
  const { amount, balanceAfter, expiresAt } = added;
  return (
    <>
      <div className="coins" aria-hidden="true">
        <span className="coin" />
        <span className="coin" />
        <span className="coin" />
      </div>
      <div className="stack stack-3 success-text">
        <h1 className="success-head">
          <span className="big">{format.number(amount, { signDisplay: "always" })}</span>{" "}
          {t("checkout.yours", { count: amount })}
        </h1>
        <p className="lead">
          {expiresAt
            ? t("checkout.usableUntil", { date: day(expiresAt) })
            : t("checkout.neverExpires")}
        </p>
      </div>
      {balance === balanceAfter ? (
        <Sum before={balanceAfter - amount} bought={amount} now={balance} />
      ) : null}
      <div className="row row-fill row-center">
        {images ? (
          <ButtonLink size="large" href={`/${locale}/demo/image-generator`}>
            {hasDraft ? t("checkout.generateDraft") : t("account.create")}
          </ButtonLink>
        ) : null}
        <ButtonLink
          size="large"
          look={images ? "secondary" : "primary"}
          href={`/${locale}/account`}
        >
          {t("checkout.openAccount")}
        </ButtonLink>
      </div>
      <Purchase checkout={checkout} credits={amount} />
    </>
  );
}

function Sum({ before, bought, now }: { before: number; bought: number; now: number }) {
  const t = useTranslations();
  const format = useFormatter();
  return (
    <p className="sum num">
      <span>
        <small>{t("checkout.before")}</small>
        {format.number(before)}
      </span>
      <Icon name="plus" size={16} />
      <span className="plus">
        <small>{t("checkout.bought")}</small>
        {format.number(bought)}
      </span>
      <Icon name="arrow" size={16} />
      <span>
        <small>{t("checkout.now")}</small>
        {format.number(now)}
      </span>
    </p>
  );
}

function Purchase({ checkout, credits }: { checkout: ReturnedCheckout; credits: number }) {
  const t = useTranslations();
  const money = useMoney();
  const { locale } = useParams();
  const { kind, provider, startedAt, order } = checkout;
  return (
    <section className="card success-card" aria-labelledby="order">
      <h2 id="order" className="h-small">
        {t("checkout.order")}
      </h2>
      <Facts
        facts={[
          ...(order
            ? [
                {
                  name: t("billing.packOf", { credits }),
                  value: money(order.amount, order.currency),
                },
              ]
            : []),
          { name: t("checkout.paidAt"), value: providerName(provider) },
          { name: t("checkout.when"), value: <Time at={startedAt} /> },
        ]}
      />
      <UtcNote />
      <p className="card-foot small">
        {order ? (
          <a href={`/${locale}/account/orders/${order.id}`} className="link-24">
            {t("billing.receipt")}
          </a>
        ) : (
          <a href={`/${locale}/account/billing`} className="link-24">
            {kind === "plan" ? t("checkout.openPlan") : t("checkout.openBilling")}
          </a>
        )}
      </p>
    </section>
  );
}
