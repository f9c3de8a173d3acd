import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import { AccountPage } from "~/components/account/account-page";
import { UtcNote } from "~/components/account/utc-note";
import { WriteToUs } from "~/components/support/write-to-us";
import { Mark } from "~/components/ui/mark";

/** A receipt on a card that prints well. `note` says what the receipt is and isn't. */
export function ReceiptPage({
  note,
  reference,
  children,
}: {
  note: string;
  /** Names the purchase in an email about it. */
  reference: string;
  children: ReactNode;
}) {
  const t = useTranslations();
  return (
    <AccountPage
      back={{ path: "/account/billing", text: t("billing.title") }}
      title={t("receipt.title")}
      lead={t("receipt.lead")}
    >
      <section className="card receipt-card">
        <p className="brand">
          <Mark />
          <span>{PRODUCT_NAME}</span>
        </p>
        {children}
        <p className="small quiet">{note}</p>
        <WriteToUs text={t("receipt.ask")} subject={t("receipt.askSubject", { reference })} />
        <UtcNote />
      </section>
    </AccountPage>
  );
}
