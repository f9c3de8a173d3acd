import type { Pack } from "~/catalog";
import { BuyCredits } from "~/components/generator/buy-credits";
import { EstimateNote } from "~/components/metering/estimate-note";
import { estimateRun } from "~/models/metering/estimate";

interface CostNotesProps {
  id: string;
  /** The numbers of images that the form offers. */
  counts: number[];
  balance: number;
  /** Credits that the account's monthly limit leaves; null without one. */
  room: number | null;
  /** The packs on sale. */
  packs: Pack[];
  /** Whether this installation sells credits. */
  canBuy: boolean;
}

/** Says what is left after the click, or what is missing. The style sheet shows the chosen number's note. */
export function CostNotes({ id, counts, canBuy, ...funds }: CostNotesProps) {
  return (
    <div id={id} className="small muted center" role="status">
      {counts.map((count) => (
        <p key={count} className={`for-count-${count}`}>
          <EstimateNote
            estimate={estimateRun({ action: "image", units: count, ...funds })}
            buy={canBuy ? BuyCredits : null}
          />
        </p>
      ))}
    </div>
  );
}
