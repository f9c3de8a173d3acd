import { useTranslations } from "use-intl";
import type { Pack } from "~/catalog";
import { BuyCredits } from "~/components/generator/buy-credits";
import { Art } from "~/components/ui/art";
import { Refusal } from "~/components/ui/refusal";
import { usePriceTag } from "~/components/use-money";
import { estimateRun } from "~/models/metering/estimate";

interface ShortCanvasProps {
  /** Spendable credits. */
  balance: number;
  n: number;
  /** The packs on sale. */
  packs: Pack[];
  /** Whether a form was just refused for it. */
  wasRefused: boolean;
  /** Whether this installation sells credits. */
  canBuy: boolean;
}

/** Says how many credits are missing, and where to get them. */
export function ShortCanvas(props: ShortCanvasProps) {
  const { balance, n, packs, wasRefused, canBuy } = props;
  const t = useTranslations();
  const priceTag = usePriceTag();
  const estimate = estimateRun({ action: "image", units: n, balance, room: null, packs });
  const { credits: required, missing, pack } = estimate;
  const message = (
    <div className="failure" role={wasRefused ? "alert" : undefined}>
      <Art name="short-of-credits" />
      <div className="stack stack-2">
        <h2 id="canvas-title">{t("generator.short.title", { missing })}</h2>
        <p className="lead">
          {t("generator.short.text", { balance, count: n, required })}
          {wasRefused ? ` ${t("generator.short.refused")}` : ""}
        </p>
        {pack ? (
          <p className="muted">
            {t("generator.short.pack", { credits: pack.credits, price: priceTag(pack.amount) })}
          </p>
        ) : null}
      </div>
      {canBuy ? <BuyCredits size="large" /> : null}
    </div>
  );
  return (
    <section className="canvas" aria-labelledby="canvas-title">
      {wasRefused ? <Refusal className="grid flex-1">{message}</Refusal> : message}
    </section>
  );
}
