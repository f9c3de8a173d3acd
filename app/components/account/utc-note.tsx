import { useTranslations } from "use-intl";

/** Says which zone the page's times are in. With JavaScript they are in the reader's own. */
export function UtcNote() {
  const t = useTranslations();
  return (
    <noscript>
      <p className="tiny quiet">{t("account.utc")}</p>
    </noscript>
  );
}
