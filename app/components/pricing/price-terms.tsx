import { useParams } from "@remix-run/react";
import { useLocale, useTranslations } from "use-intl";
import { CURRENCY } from "~/catalog";

/** Says what stands beside every price: the currency, tax, and what a buyer agrees to. */
export function PriceTerms({ addsTax }: { addsTax: boolean }) {
  const t = useTranslations();
  const language = useLocale();
  const { locale } = useParams();
  const code = CURRENCY.toUpperCase();
  const name = new Intl.DisplayNames(language, { type: "currency" }).of(code) ?? code;
  const link = (path: string) => (words: React.ReactNode) => (
    <a href={`/${locale}/${path}`}>{words}</a>
  );
  return (
    <p className="small muted price-terms">
      {t("pricing.currency", { name, code })}{" "}
      {addsTax ? t("pricing.taxAdded") : t("pricing.taxNone")}{" "}
      {t.rich("pricing.terms", { terms: link("terms"), refunds: link("refunds") })}
    </p>
  );
}
