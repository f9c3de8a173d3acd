import { useTranslations } from "use-intl";
import type { Pack } from "~/catalog";
import { BuyCredits } from "~/components/generator/buy-credits";
import { estimateRun } from "~/models/metering/estimate";

interface CostNotesProps {
  id: string;
  /** The numbers of images that the form offers. */
  counts: number[];
  balance: number;
  /** The packs on sale. */
  packs: Pack[];
  /** Whether this installation sells credits. */
  canBuy: boolean;
}

/** Says what is left after the click, or what is missing. The style sheet shows the chosen number's note. */
export function CostNotes({ id, counts, balance, packs, canBuy }: CostNotesProps) {
  const t = useTranslations();
  return (
    <div id={id} className="small muted center" role="status">
      {counts.map((count) => {
        const { allowed, credits, left, missing } = estimateRun({
          action: "image",
          units: count,
          balance,
          packs,
        });
        return (
          <p key={count} className={`for-count-${count}`}>
            {allowed ? (
              t("generator.before.left", { credits, left })
            ) : (
              <>
                {t("generator.before.short", { balance, missing })}
                {canBuy ? (
                  <>
                    {" "}
                    <BuyCredits look="quiet" size="small" />
                  </>
                ) : null}
              </>
            )}
          </p>
        );
      })}
    </div>
  );
}
