import { useFormatter, useTranslations } from "use-intl";
import { ChartFrame } from "~/components/charts/chart-frame";
import { ChartTable } from "~/components/charts/chart-table";
import { barScale, creditScale } from "~/components/charts/scales";
import type { DayOfUse } from "~/models/accounts/movement";

const HEIGHT = 240;

/** Days between two dates on the axis. */
const DATE_EVERY = 7;

/** Credits used on each day as bars; credits that were charged and given back stand on top, in outline. */
export function DailyUseChart({ days }: { days: DayOfUse[] }) {
  const t = useTranslations();
  const format = useFormatter();
  const day = (key: string) => format.dateTime(new Date(key), { month: "short", day: "numeric" });
  const most = Math.max(...days.map(({ used, refunded }) => used + refunded));
  const { y, ticks, floor } = creditScale({ most, height: HEIGHT });
  const x = barScale(days.map((each) => each.day));
  const width = percent(x.bandwidth());
  const used = days.reduce((sum, each) => sum + each.used, 0);
  const refunded = days.reduce((sum, each) => sum + each.refunded, 0);
  const label = t("account.useChart", {
    days: days.length,
    used,
    most: Math.max(...days.map((each) => each.used)),
    refunded,
  });
  const busy = days.filter((each) => each.used + each.refunded > 0);
  return (
    <figure className="stack stack-3">
      <ChartFrame
        label={label}
        height={HEIGHT}
        floor={floor}
        ticks={ticks.map((value) => ({ value, at: y(value) }))}
        dates={days.flatMap(({ day: key }, index) =>
          (days.length - 1 - index) % DATE_EVERY === 0
            ? [{ date: new Date(key), at: (x(key) ?? 0) + x.bandwidth() / 2 }]
            : [],
        )}
      >
        {busy.map((each) => {
          const left = percent(x(each.day) ?? 0);
          const top = y(each.used);
          const ghost = y(each.used + each.refunded);
          return (
            <g key={each.day}>
              {each.used > 0 ? (
                <rect className="bar" x={left} width={width} y={top} height={floor - top} rx="3">
                  <title>{t("account.usedOn", { day: day(each.day), count: each.used })}</title>
                </rect>
              ) : null}
              {each.refunded > 0 ? (
                <rect
                  className="bar-ghost"
                  x={left}
                  width={width}
                  y={ghost}
                  height={top - ghost}
                  rx="3"
                >
                  <title>
                    {t("account.refundedOn", { day: day(each.day), count: each.refunded })}
                  </title>
                </rect>
              ) : null}
            </g>
          );
        })}
      </ChartFrame>
      <ul className="legend">
        <li>
          <span className="swatch swatch-used" />
          {t("account.used")}
        </li>
        {refunded > 0 ? (
          <li>
            <span className="swatch swatch-ghost" />
            {t("account.refunded")}
          </li>
        ) : null}
      </ul>
      <ChartTable
        caption={label}
        head={[t("account.day"), t("account.used"), t("account.refunded")]}
        rows={busy.map((each) => [
          day(each.day),
          format.number(each.used),
          each.refunded > 0 ? format.number(each.refunded) : "–",
        ])}
      />
    </figure>
  );
}

const percent = (value: number) => `${Math.round(value * 100) / 100}%`;
