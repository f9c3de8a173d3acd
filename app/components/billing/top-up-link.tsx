import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { ShownTopUp } from "~/components/billing/shown-top-up";
import { useOffReason } from "~/components/billing/use-off-reason";
import { useTopUpStatus } from "~/components/billing/use-top-up-status";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";

type TopUpLinkProps = Pick<ShownTopUp, "isOn" | "off" | "isPriceRight"> & {
  isSetUp: boolean;
  /** The newest attempt. */
  latest: Pick<ShownTopUp["attempts"][number], "status" | "reason"> | null;
};

/** Leads to the page of automatic top-up, and says whether it is on, why not, and what became of the newest attempt. */
export function TopUpLink({ isOn, isSetUp, latest, ...state }: TopUpLinkProps) {
  const t = useTranslations();
  const statusOf = useTopUpStatus();
  const reason = useOffReason({ isOn, ...state });
  const last = latest && statusOf(latest);
  const { locale } = useParams();
  return (
    <section className="card portal" aria-labelledby="top-up-link">
      <span className="card-icon">
        <Icon name="receipt" size={24} />
      </span>
      <div>
        <h2 id="top-up-link" className="h-small">
          {t("topUp.title")}{" "}
          {isSetUp ? (
            <Badge tone={isOn ? "good" : "neutral"}>{isOn ? t("topUp.on") : t("topUp.off")}</Badge>
          ) : null}
        </h2>
        <p className="muted">{t("topUp.cardLead")}</p>
        {isSetUp && reason ? <p>{reason}</p> : null}
        {isSetUp && last && !reason ? (
          <p className="small muted">{t("topUp.latest", { status: last.text })}</p>
        ) : null}
      </div>
      <ButtonLink look="secondary" href={`/${locale}/account/billing/top-up`}>
        {isSetUp ? t("topUp.manage") : t("topUp.open")}
      </ButtonLink>
    </section>
  );
}
