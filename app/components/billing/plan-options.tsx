import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { Period } from "~/catalog";
import { usePlanPrice } from "~/components/billing/use-plan-price";
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
  const planName = usePlanName();
  const planPrice = usePlanPrice();
  const billing = `/${locale}/account/billing`;
  return (
    <section className="grid max-w-text gap-4">
      <h2 className="text-xl font-semibold">{t("changePlan.choose")}</h2>
      <ul className="grid gap-2">
        {options.map(({ planKey, period, amount, timing }) => {
          const isChosen = preview?.planKey === planKey && preview.period === period;
          return (
            <li
              key={`${planKey} ${period}`}
              className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-1 rounded-md border px-4 py-3 ${isChosen ? "border-accent bg-accent-surface" : "border-line"}`}
            >
              <span className="grid">
                <span className="font-medium">{planName(planKey)}</span>
                <span className="text-sm text-ink-muted tabular-nums">
                  {planPrice({ period, amount })}
                </span>
              </span>
              {timing === "same" ? (
                <span className="text-sm">{t("changePlan.now")}</span>
              ) : (
                <a
                  href={`${billing}/change?subscription=${id}&plan=${planKey}&period=${period}`}
                  aria-current={isChosen ? "true" : undefined}
                  aria-label={`${isChosen ? t("changePlan.chosen") : t("changePlan.show")}: ${planName(planKey)}, ${planPrice({ period, amount })}`}
                  className="inline-flex min-h-6 items-center text-accent underline"
                >
                  {isChosen ? t("changePlan.chosen") : t("changePlan.show")}
                </a>
              )}
            </li>
          );
        })}
      </ul>
      <p className="text-sm text-ink-muted">
        {t("changePlan.less")}{" "}
        <a href={`${billing}/cancel?subscription=${id}`} className="text-accent underline">
          {t("changePlan.cancelFirst")}
        </a>
      </p>
    </section>
  );
}
