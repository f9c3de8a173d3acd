import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { ACTIONS, type ActionKey, findPlan } from "~/catalog";
import { ButtonLink } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";
import { useCreditWords } from "~/components/use-credit-words";
import { useDay } from "~/components/use-day";
import { usePlanName } from "~/components/use-plan-name";
import type { NextStep } from "~/models/accounts/next-step";

interface NextStepCardProps {
  step: NextStep;
  /** The plan that can be changed. */
  subscriptionId: string | null;
}

/** Offers one useful next step. */
export function NextStepCard({ step, subscriptionId }: NextStepCardProps) {
  const { title, text, path, action } = useWords(step, subscriptionId);
  const { locale } = useParams();
  return (
    <section className="card dash-next" aria-labelledby="next-step">
      <span className="card-icon">
        <Icon name={step.step === "payment" ? "card" : "spark"} size={24} />
      </span>
      <div>
        <h2 id="next-step" className="h-small">
          {title}
        </h2>
        <p className="muted">{text}</p>
      </div>
      <ButtonLink look="secondary" href={`/${locale}${path}`}>
        {action}
      </ButtonLink>
    </section>
  );
}

function useWords(step: NextStep, subscriptionId: string | null) {
  const t = useTranslations();
  const format = useFormatter();
  const day = useDay();
  const planName = usePlanName();
  const { rate } = useCreditWords();
  const start = (key: ActionKey) => ({
    path: ACTIONS[key].page,
    action: t(ACTIONS[key].startKey),
  });
  switch (step.step) {
    case "payment":
      return {
        title: t("account.stepPayment"),
        text: t("account.stepPaymentText"),
        path: "/account/billing",
        action: t("account.stepPaymentAction"),
      };
    case "create":
      return {
        ...(step.action === "image"
          ? { title: t("account.stepCreate"), text: t("account.stepCreateText") }
          : { title: t("account.stepStart"), text: `${rate(step.action)}.` }),
        ...start(step.action),
      };
    case "upgrade": {
      const { used, planKey, to, period } = step;
      const credits = (key: typeof to) => format.number(findPlan(key)?.creditsPerMonth ?? 0);
      const plan = planName(planKey);
      const larger = planName(to);
      const query = new URLSearchParams({ subscription: subscriptionId ?? "", plan: to, period });
      return {
        title: t("account.stepUpgrade"),
        text: t("account.stepUpgradeText", {
          used,
          plan,
          brings: credits(planKey),
          larger,
          more: credits(to),
        }),
        path: `/account/billing/change?${query}`,
        action: t("account.stepUpgradeAction", { plan: larger }),
      };
    }
    case "use":
      return {
        title: t("account.stepUse", { count: step.amount, date: day(step.at) }),
        text: t("account.stepUseText"),
        ...start(step.action),
      };
  }
}
