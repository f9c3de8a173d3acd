import { useTranslations } from "use-intl";
import { Notice } from "~/components/ui/notice";

/** Says that a monthly limit is nearly used up, or reached. Both in credits; `limit` is null for none. */
export function LimitUse({ limit, used }: { limit: number | null; used: number }) {
  const t = useTranslations();
  if (limit === null || used * 100 < limit * 80) return null;
  return used < limit ? (
    <Notice tone="warn">{t("limits.near", { percent: Math.floor((used * 100) / limit) })}</Notice>
  ) : (
    <Notice tone="warn">{t("limits.reached")}</Notice>
  );
}
