import { useTranslations } from "use-intl";
import { HistoryPager } from "~/components/account/history-pager";
import { LotTable } from "~/components/credits/lot-table";
import { Chips } from "~/components/ui/chips";
import type { Lot } from "~/models/credits/lot";

interface LotsSectionProps {
  path: string;
  lots: Lot[];
  /** Whether lots without credits are shown, too. */
  showsAll: boolean;
  isFirstPage: boolean;
  nextCursor: string | null;
}

/** Where the account's credits come from, and what they paid for. */
export function LotsSection({ path, lots, showsAll, isFirstPage, nextCursor }: LotsSectionProps) {
  const t = useTranslations();
  return (
    <section className="stack" aria-labelledby="lots">
      <h2 id="lots" className="h24">
        {t("credits.lots")}
      </h2>
      <p className="muted">{t("credits.lotsText")}</p>
      <Chips
        label={t("credits.lots")}
        chips={[
          { href: path, text: t("credits.lotsHeld"), isHere: !showsAll },
          { href: `${path}?lots=all`, text: t("credits.lotsAll"), isHere: showsAll },
        ]}
      />
      {lots.length > 0 ? (
        <LotTable lots={lots} />
      ) : (
        <p className="card muted">{t("credits.lotsNone")}</p>
      )}
      <HistoryPager
        path={path}
        query={showsAll ? { lots: "all" } : {}}
        cursorName="lot"
        isFirstPage={isFirstPage}
        nextCursor={nextCursor}
      />
    </section>
  );
}
