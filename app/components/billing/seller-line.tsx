import { useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import { providerName } from "~/components/billing/provider-name";
import { ReceiptLine } from "~/components/billing/receipt-lines";
import type { Seller } from "~/utils/seller";

/** Providers that sell in their own name, and so write the invoice themselves. */
const SELLERS_OF_RECORD = ["creem"];

/** A receipt's line with the seller, their address and their tax number. */
export function SellerLine({ seller, provider }: { seller: Seller | null; provider: string }) {
  const t = useTranslations();
  if (SELLERS_OF_RECORD.includes(provider)) {
    const product = seller?.name ?? PRODUCT_NAME;
    return (
      <ReceiptLine label={t("receipt.seller")}>
        {t("receipt.sellerOfRecord", { provider: providerName(provider), product })}
      </ReceiptLine>
    );
  }
  if (!seller) return null;
  const lines = [seller.name, ...seller.address];
  if (seller.taxId) lines.push(t("receipt.sellerTaxId", { number: seller.taxId }));
  return (
    <ReceiptLine label={t("receipt.seller")}>
      {lines.map((line) => (
        <span key={line} className="line">
          {line}
        </span>
      ))}
    </ReceiptLine>
  );
}
