import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import { AccountPage } from "~/components/account/account-page";
import { UtcNote } from "~/components/account/utc-note";
import { WriteToUs } from "~/components/support/write-to-us";
import { Button } from "~/components/ui/button";
import { Mark } from "~/components/ui/mark";

interface ReceiptPageProps {
  /** The page's heading: the item and its amount. */
  title: string;
  /** Says what the receipt is and isn't. */
  note: string;
  /** Names the purchase in an email about it. */
  reference: string;
  children: ReactNode;
}

/** A receipt on a card that prints well. The button that prints it needs JavaScript, and shows with it. */
export function ReceiptPage({ title, note, reference, children }: ReceiptPageProps) {
  const t = useTranslations();
  return (
    <AccountPage back={{ path: "/account/billing", text: t("billing.title") }} title={title}>
      <section className="card receipt-card">
        <p className="brand">
          <Mark />
          <span>{PRODUCT_NAME}</span>
        </p>
        {children}
        <p className="small quiet">{note}</p>
        <WriteToUs text={t("receipt.ask")} subject={t("receipt.askSubject", { reference })} />
        <UtcNote />
        <p className="no-print">
          <Button type="button" look="secondary" data-print hidden>
            {t("receipt.print")}
          </Button>
        </p>
      </section>
    </AccountPage>
  );
}
