import { useTranslations } from "use-intl";
import { useDay } from "~/components/use-day";

interface NextCreditsNoteProps {
  /** As `soonestCredits` returns it. */
  next: { status: "due" | "scheduled" | "renewal"; amount: number; at: Date };
}

/** Says when the next monthly credits come and how many. */
export function NextCreditsNote({ next }: NextCreditsNoteProps) {
  const t = useTranslations();
  const { status, amount } = next;
  const date = useDay()(next.at);
  const texts = {
    due: t("account.nextCreditsNow", { amount }),
    scheduled: t("account.nextCredits", { amount, date }),
    renewal: t("account.nextCreditsRenewal", { amount, date }),
  };
  return <p className="small muted">{texts[status]}</p>;
}
