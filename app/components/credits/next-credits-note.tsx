import { useFormatter, useTranslations } from "use-intl";

interface NextCreditsNoteProps {
  /** As `soonestCredits` returns it. */
  next: { status: "due" | "scheduled" | "renewal"; amount: number; at: Date } | null;
}

/** Says when the next monthly credits come and how many, or that none do. */
export function NextCreditsNote({ next }: NextCreditsNoteProps) {
  const t = useTranslations();
  const format = useFormatter();
  if (!next) return <p className="text-ink-2">{t("account.noNextCredits")}</p>;
  const { status, amount } = next;
  const at = format.dateTime(next.at, { dateStyle: "long", timeStyle: "short" });
  const texts = {
    due: t("billing.nextNow", { amount }),
    scheduled: t("account.nextCredits", { amount, at }),
    renewal: t("account.nextCreditsRenewal", { amount, at }),
  };
  return <p className="text-ink-2">{texts[status]}</p>;
}
