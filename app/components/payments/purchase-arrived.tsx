import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { ACTIONS, type ActionKey } from "~/catalog";
import { UtcNote } from "~/components/account/utc-note";
import { ButtonLink } from "~/components/ui/button";
import { Facts } from "~/components/ui/facts";
import { Icon } from "~/components/ui/icon";
import { useDay } from "~/components/use-day";
import type { AddedCredits } from "~/models/billing/checkouts/returned-checkout";

interface PurchaseArrivedProps {
  /** Null if the purchase brings no credits now; then `title` says what it brings. */
  added: AddedCredits | null;
  title: string;
  /** Credits now. */
  balance: number;
  /** The action that the page leads to; null if none is on. */
  action: ActionKey | null;
  /** Whether a prompt waits for these credits. */
  hasDraft: boolean;
  facts: { name: string; value: ReactNode }[];
  /** The sentence about the plan; null for a pack. */
  plan: string | null;
  /** The receipt's page; null while there is none. */
  receipt: string | null;
  receiptTo: string | null;
}

/** A purchase is in: its credits, the new balance, what was paid, and the way to spend it. */
export function PurchaseArrived(props: PurchaseArrivedProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const { added, title, balance, action, hasDraft, plan } = props;
  return (
    <>
      <div className="coins" aria-hidden="true">
        <span className="coin" />
        <span className="coin" />
        <span className="coin" />
      </div>
      <div className="stack stack-3 success-text">
        {added ? <AddedHeading added={added} /> : <h1>{title}</h1>}
        {plan ? <p>{plan}</p> : null}
      </div>
      {added && balance === added.balanceAfter ? <Sum added={added} /> : null}
      <div className="row row-fill row-center">
        {action ? (
          <ButtonLink size="large" href={`/${locale}${ACTIONS[action].page}`}>
            {hasDraft && action === "image"
              ? t("checkout.generateDraft")
              : t(ACTIONS[action].startKey)}
          </ButtonLink>
        ) : null}
        <ButtonLink
          size="large"
          look={action ? "secondary" : "primary"}
          href={`/${locale}/account/credits`}
        >
          {t("checkout.openAccount")}
        </ButtonLink>
      </div>
      <Purchase {...props} />
    </>
  );
}

function AddedHeading({ added: { amount, expiresAt } }: { added: AddedCredits }) {
  const t = useTranslations();
  const format = useFormatter();
  const day = useDay();
  return (
    <>
      <h1 className="success-head">
        <span className="big">{format.number(amount, { signDisplay: "always" })}</span>{" "}
        {t("checkout.yours", { count: amount })}
      </h1>
      <p className="lead">
        {expiresAt
          ? t("checkout.usableUntil", { date: day(expiresAt) })
          : t("checkout.neverExpires")}
      </p>
    </>
  );
}

function Sum({ added: { amount, balanceAfter } }: { added: AddedCredits }) {
  const t = useTranslations();
  const format = useFormatter();
  return (
    <p className="sum num">
      <span>
        <small>{t("checkout.before")}</small>
        {format.number(balanceAfter - amount)}
      </span>
      <Icon name="plus" size={16} />
      <span className="plus">
        <small>{t("checkout.bought")}</small>
        {format.number(amount)}
      </span>
      <Icon name="arrow" size={16} />
      <span>
        <small>{t("checkout.now")}</small>
        {format.number(balanceAfter)}
      </span>
    </p>
  );
}

function Purchase({ facts, receipt, receiptTo }: PurchaseArrivedProps) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <section className="card success-card" aria-labelledby="order">
      <h2 id="order" className="h-small">
        {t("checkout.order")}
      </h2>
      <Facts facts={facts} />
      <UtcNote />
      <p className="card-foot small">
        <a href={receipt ?? `/${locale}/account/billing`} className="link-24">
          {receipt ? t("billing.receipt") : t("checkout.openBilling")}
        </a>
        {receiptTo ? ` · ${t("checkout.receiptTo", { email: receiptTo })}` : null}
      </p>
    </section>
  );
}
