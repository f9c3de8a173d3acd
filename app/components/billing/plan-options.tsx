import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE, CURRENCY, findPlan, type Period } from "~/catalog";
import { Badge } from "~/components/ui/badge";
import { Icon } from "~/components/ui/icon";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { PlanOption } from "~/models/billing/changes/preview";

interface PlanOptionsProps {
  change: {
    id: string;
    options: PlanOption[];
    preview: { planKey: string; period: Period } | null;
  };
}

/** The plans to change to. Each is a link to this page with what that change would do. */
export function PlanOptions({ change: { id, options, preview } }: PlanOptionsProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const billing = `/${locale}/account/billing`;
  return (
    <section className="stack stack-3" aria-labelledby="new-plan">
      <h2 id="new-plan" className="h-small">
        {t("changePlan.choose")}
      </h2>
      <ul className="stack stack-3">
        {options.map((option) => {
          const { planKey, period, timing } = option;
          const isChosen = preview?.planKey === planKey && preview.period === period;
          const query = new URLSearchParams({ subscription: id, plan: planKey, period });
          return (
            <li key={`${planKey} ${period}`}>
              {timing === "same" ? (
                <div className="choice choice-now">
                  <Option option={option} />
                </div>
              ) : (
                <a
                  className="choice choice-link"
                  href={`${billing}/change?${query}`}
                  aria-current={isChosen ? "true" : undefined}
                >
                  <Option option={option} isChosen={isChosen} />
                </a>
              )}
            </li>
          );
        })}
      </ul>
      <p className="muted small">
        {t("changePlan.less")}{" "}
        <a href={`${billing}/cancel?subscription=${id}`} className="link-24">
          {t("changePlan.cancelFirst")}
        </a>
      </p>
    </section>
  );
}

function Option({ option, isChosen = false }: { option: PlanOption; isChosen?: boolean }) {
  const t = useTranslations();
  const money = useMoney();
  const plan = usePlanName()(option.planKey);
  const { period, amount, timing } = option;
  const { credits, perImage, saving } = figuresOf(option);
  return (
    <>
      <span className={isChosen ? "choice-dot choice-dot-on" : "choice-dot"}>
        {timing === "same" || isChosen ? <Icon name="check" size={16} /> : null}
      </span>
      <span>
        <b>
          {period === "month"
            ? t("changePlan.byMonth", { plan })
            : t("changePlan.byYear", { plan })}{" "}
          {timing === "same" ? <Badge>{t("changePlan.now")}</Badge> : null}
          {saving > 0 ? (
            <Badge tone="good">{t("changePlan.saves", { amount: money(saving, CURRENCY) })}</Badge>
          ) : null}
        </b>
        <span className="small muted">
          {t("changePlan.brings", { credits, price: money(perImage, CURRENCY) })}
        </span>
      </span>
      <span className="price">
        {money(amount, CURRENCY)}
        <small>{period === "month" ? t("billing.perMonth") : t("billing.perYear")}</small>
      </span>
    </>
  );
}

/** Credits a month, and minor units: the price of an image, and what a year saves against twelve months. */
function figuresOf({ planKey, period, amount }: PlanOption) {
  const plan = findPlan(planKey);
  const credits = plan?.creditsPerMonth ?? 0;
  const months = period === "year" ? 12 : 1;
  const images = (credits * months) / CREDITS_PER_IMAGE;
  const saving = period === "year" && plan ? plan.amounts.month * months - amount : 0;
  return { credits, saving, perImage: Math.round(amount / images) };
}
