import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { BuyCredits } from "~/components/generator/buy-credits";
import type { Estimate } from "~/models/metering/estimate";

interface EstimateNoteProps {
  estimate: Pick<Estimate, "credits" | "balance" | "left" | "missing"> & { reason: string | null };
  /** The button that keeps the form and leads to the packs; left out where there is none. */
  buy?: typeof BuyCredits | null;
}

/** Says beside a button what it costs and what is left after it, or why it would be refused. */
export function EstimateNote({ estimate, buy: Buy = null }: EstimateNoteProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const { credits, balance, left, missing, reason } = estimate;
  switch (reason) {
    case null:
      return t("generator.before.left", { credits, left });
    case "insufficient_credits":
      return (
        <>
          {t("generator.before.short", { balance, missing })}
          {Buy ? (
            <>
              {" "}
              <Buy look="quiet" size="small" />
            </>
          ) : null}
        </>
      );
    case "limit_reached":
      return (
        <>
          {t("generator.before.limited", { credits })}{" "}
          <a href={`/${locale}/account/limits`}>{t("generator.before.limits")}</a>
        </>
      );
    default:
      return t("generator.before.unavailable");
  }
}
