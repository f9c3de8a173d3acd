import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";

/** Leads to the page of automatic top-up, and says whether it is on. */
export function TopUpLink({ isOn, isSetUp }: { isOn: boolean; isSetUp: boolean }) {
  const t = useTranslations();
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
      </div>
      <ButtonLink look="secondary" href={`/${locale}/account/billing/top-up`}>
        {isSetUp ? t("topUp.manage") : t("topUp.open")}
      </ButtonLink>
    </section>
  );
}
