import { useFormatter, useTranslations } from "use-intl";
import { ACTION_KEYS } from "~/catalog";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import { ChartTable } from "~/components/charts/chart-table";
import { Facts } from "~/components/ui/facts";
import type { DayOfRuns } from "~/models/accounts/usage.server";

/** The runs of the last days: by action, and by day in a table that opens below. */
export function UsageSums({ sums, days }: { sums: DayOfRuns[]; days: number }) {
  const t = useTranslations();
  const format = useFormatter();
  const byAction = ACTION_KEYS.flatMap((key) => {
    const own = sums.filter(({ action }) => action === key);
    if (own.length === 0) return [];
    const total = (of: "units" | "credits" | "runs") => own.reduce((sum, day) => sum + day[of], 0);
    const { words } = ACTION_VIEWS[key];
    const units = t(words.units, { count: total("units") });
    const value = t("usage.sum", { runs: total("runs"), units, credits: total("credits") });
    return [{ name: t(words.name), value }];
  });
  return (
    <section className="card stack stack-3" aria-labelledby="usage-sums">
      <h2 id="usage-sums" className="h24">
        {t("usage.lastDays", { days })}
      </h2>
      {byAction.length === 0 ? (
        <p className="muted">{t("usage.noneLately")}</p>
      ) : (
        <>
          <Facts facts={byAction} />
          <ChartTable
            caption={t("usage.byDay")}
            head={[t("usage.day"), t("usage.runs"), t("credits.amount")]}
            rows={sums.map(({ day, action, runs, credits }) => {
              const date = format.dateTime(new Date(day), { dateStyle: "medium" });
              const name = `${date} · ${t(ACTION_VIEWS[action].words.name)}`;
              return [name, format.number(runs), format.number(credits)];
            })}
          />
        </>
      )}
    </section>
  );
}
