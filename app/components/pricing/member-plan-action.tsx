import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { KeepPlan } from "~/components/billing/keep-plan";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { Time } from "~/components/time";
import { ButtonLink } from "~/components/ui/button";
import { usePlanName } from "~/components/use-plan-name";
import { changeTiming } from "~/models/billing/changes/timing";
import type { PlanTarget } from "~/services/payments/plan-changes";
import type { MemberPlan } from "./member-plan";

interface MemberPlanActionProps {
  target: PlanTarget;
  member: MemberPlan;
  look: "primary" | "secondary";
  className: string;
}

/** Leads a member to their plan, or to the page that shows what a change to this one would cost. */
export function MemberPlanAction({ target, member, look, className }: MemberPlanActionProps) {
  const t = useTranslations();
  const sentence = usePlanSentence();
  const { locale } = useParams();
  const { planKey, period } = target;
  const plan = usePlanName()(planKey);
  const billing = `/${locale}/account/billing`;
  const change = `${billing}/change?${new URLSearchParams({ plan: planKey, period })}`;
  const isSamePlan = planKey === member.planKey;
  const isSamePeriod = period === member.period;

  const action = (href: string, label: string, note: ReactNode, buttonLook = look) => (
    <div className={className}>
      <ButtonLink href={href} look={buttonLook} size="large" wide>
        {label}
      </ButtonLink>
      <p className="plan-note">{note}</p>
    </div>
  );
  const timing = changeTiming(member, target);
  // A cancelled plan has no renewal at which to switch.
  if (member.cancelAtPeriodEnd && timing !== "same")
    return <p className={`plan-note ${className}`}>{t("pricing.keepFirst")}</p>;
  switch (timing) {
    case "same":
      if (member.keepable)
        return (
          <div className={className}>
            <KeepPlan plan={member} size="large" wide />
            <p className="plan-note">{sentence(member)}</p>
          </div>
        );
      return action(
        billing,
        t("pricing.manage"),
        <NextCreditsLine next={member.nextCredits} sentence={sentence(member)} />,
        "secondary",
      );
    case "now":
      if (isSamePlan) return action(change, t("pricing.switchToYearly"), t("pricing.restTakenOff"));
      return period === "month"
        ? action(change, t("pricing.upgrade", { plan }), t("pricing.payDifference"))
        : action(
            change,
            t("pricing.upgradeYearly", { plan }),
            isSamePeriod ? t("pricing.payDifference") : t("pricing.restTakenOff"),
          );
    case "period_end":
      return action(
        change,
        isSamePlan ? t("pricing.switchToMonthly") : t("pricing.switchAtRenewal", { plan }),
        t("pricing.startsAtRenewal"),
        "secondary",
      );
  }
}

/** "Next 300 credits: Dec 5, 2026". Without JavaScript the time is in UTC, and the line says so. */
function NextCreditsLine({
  next,
  sentence,
}: {
  next: MemberPlan["nextCredits"];
  sentence: string;
}) {
  const t = useTranslations();
  if (!("at" in next)) return sentence;
  return (
    <>
      {sentence} {t("pricing.nextCredits", { credits: next.amount })} <Time at={next.at} />
      <noscript>{t("pricing.utc")}</noscript>
    </>
  );
}
