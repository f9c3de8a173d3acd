import { useTranslations } from "use-intl";
import { providerName } from "~/components/billing/provider-name";
import { CheckoutForm } from "~/components/pricing/checkout-form";
import { MemberPlanAction } from "~/components/pricing/member-plan-action";
import { usePlanName } from "~/components/use-plan-name";
import type { PaymentProviderName } from "~/env/payments";
import type { PlanTarget } from "~/services/payments/plan-changes";
import type { MemberPlan } from "./member-plan";

interface PlanActionProps {
  target: PlanTarget;
  member: MemberPlan | null;
  look: "primary" | "secondary";
  provider: PaymentProviderName;
  className: string;
}

/** The button of one plan and period: it buys the plan, or leads a member to the change. */
export function PlanAction({ target, member, look, provider, className }: PlanActionProps) {
  const t = useTranslations();
  const planName = usePlanName();
  if (member) {
    return <MemberPlanAction target={target} member={member} look={look} className={className} />;
  }
  const { planKey, period } = target;
  const plan = planName(planKey);
  return (
    <div className={className}>
      <CheckoutForm
        intent="plan"
        item={{ name: "planKey", value: planKey }}
        period={period}
        label={
          period === "month" ? t("pricing.choose", { plan }) : t("pricing.chooseYearly", { plan })
        }
        look={look}
        size="large"
      />
      <p className="plan-note">{t("pricing.payAt", { provider: providerName(provider) })}</p>
    </div>
  );
}
