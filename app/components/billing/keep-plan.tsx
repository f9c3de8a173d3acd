import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { usePlanName } from "~/components/use-plan-name";

interface KeepPlanProps {
  plan: { id: string; planKey: string };
  size?: "normal" | "large";
  wide?: boolean;
}

/** Takes a plan's cancellation back, from any page, without JavaScript too. */
export function KeepPlan({ plan: { id, planKey }, size = "normal", wide = false }: KeepPlanProps) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <form method="post" action={`/${locale}/account/billing/resume?subscription=${id}`}>
      <Button size={size} wide={wide}>
        {t("resumePlan.submit", { plan: usePlanName()(planKey) })}
      </Button>
    </form>
  );
}
