import { useFormatter, useTranslations } from "use-intl";

/** Says which credits expire next and when, or that none do. */
export function ExpiryNote({
  expiring,
}: {
  expiring: { amount: number; at: Date | string } | null;
}) {
  const t = useTranslations();
  const format = useFormatter();
  if (!expiring) return <p className="text-ink-2">{t("credits.nothingExpires")}</p>;
  const at = format.dateTime(new Date(expiring.at), { dateStyle: "long", timeStyle: "short" });
  return <p className="text-ink-2">{t("credits.expiring", { amount: expiring.amount, at })}</p>;
}
