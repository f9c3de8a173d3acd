import { useParams, useRouteLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE, CURRENCY, findPlan, type Period } from "~/catalog";
import type { FrameData } from "~/components/frame/frame-data";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
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

/** The plans to change to, one of which is chosen. Sending the form shows what the change would do. */
export function PlanOptions({ change: { id, options, preview } }: PlanOptionsProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const billing = `/${locale}/account/billing`;
  return (
    <form method="get" action={`${billing}/change`} className="stack stack-3">
      <input type="hidden" name="subscription" value={id} />
      <fieldset className="stack stack-3">
        <legend className="h-small">{t("changePlan.choose")}</legend>
        {options.map((option) => {
          const { planKey, period, timing } = option;
          const isChosen = preview?.planKey === planKey && preview.period === period;
          const value = `${planKey}.${period}`;
          return timing === "same" ? (
            <div key={value} className="choice choice-now">
              <span />
              <Option option={option} />
            </div>
          ) : (
            <label key={value} className="choice">
              <input type="radio" name="to" value={value} defaultChecked={isChosen} required />
              <Option option={option} />
            </label>
          );
        })}
      </fieldset>
      <Button look={preview ? "secondary" : "primary"}>{t("changePlan.showPrice")}</Button>
      <p className="muted small">
        {t("changePlan.less")}{" "}
        <a href={`${billing}/cancel?subscription=${id}`} className="link-24">
          {t("changePlan.cancelFirst")}
        </a>
      </p>
    </form>
  );
}

function Option({ option }: { option: PlanOption }) {
  const t = useTranslations();
  const money = useMoney();
  const plan = usePlanName()(option.planKey);
  const hasImages = useRouteLoaderData<FrameData>("routes/$locale")?.features.images ?? false;
  const { period, amount, timing } = option;
  const { credits, perImage, saving } = figuresOf(option);
  return (
    <>
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
          {hasImages
            ? t("changePlan.brings", { credits, price: money(perImage, CURRENCY) })
            : t("pricing.planCredits", { credits })}
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
