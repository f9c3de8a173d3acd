import { useTranslations } from "use-intl";

interface CheckoutWaitingProps {
  /** Whether the visitor is known to wait for a payment. */
  isKnown: boolean;
  /** The query that looks again without JavaScript; null once it looked often enough. */
  next: string | null;
  title: string;
  lead: string;
}

/** Stands until the provider's webhook is in. Where it is expected, the page looks for it by itself. */
export function CheckoutWaiting({ isKnown, next, title, lead }: CheckoutWaitingProps) {
  const t = useTranslations();
  return (
    <>
      <div className={isKnown ? "coins coins-wait" : "coins"} aria-hidden="true">
        <span className="coin" />
        <span className="coin" />
        <span className="coin" />
      </div>
      <div className="stack stack-3 success-text" data-checkout-waiting={isKnown || undefined}>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        {isKnown && next !== null ? <progress aria-label={t("checkout.waiting")} /> : null}
      </div>
      {isKnown ? <p className="small muted success-text">{t("checkout.waitingLong")}</p> : null}
      {isKnown && next !== null ? (
        <noscript>
          <meta httpEquiv="refresh" content={`3;url=${next}`} />
        </noscript>
      ) : null}
    </>
  );
}
