import { useTranslations } from "use-intl";
import { Time } from "~/components/time";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";

/** The switch by which a person lets the support see their prompts, texts and pictures. */
export function SupportForm({ until }: { until: Date | null }) {
  const t = useTranslations();
  return (
    <Card id="support" title={t("supportAccess.title")}>
      <form method="post" className="card-form">
        <p className="muted">{t("supportAccess.text")}</p>
        {until ? (
          <p>
            {t("supportAccess.on")} <Time at={until} />
          </p>
        ) : null}
        <p>
          <Button look="secondary" name="intent" value={until ? "refuse" : "allow"}>
            {until ? t("supportAccess.refuse") : t("supportAccess.allow")}
          </Button>
        </p>
      </form>
    </Card>
  );
}
