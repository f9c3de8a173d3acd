import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";

/** Drops the change that is planned for the period's end. The plan's sentence stands above it. */
export function UndoPlannedChange({ subscriptionId }: { subscriptionId: string }) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <form
      method="post"
      action={`/${locale}/account/billing/change?subscription=${subscriptionId}`}
      className="planned"
    >
      <Button look="secondary" size="small" name="intent" value="undo">
        {t("billing.undo")}
      </Button>
    </form>
  );
}
