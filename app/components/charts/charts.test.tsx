import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, test } from "vitest";
import { BalanceChart } from "~/components/charts/balance-chart";
import { DailyUseChart } from "~/components/charts/daily-use-chart";
import messages from "~/i18n/locales/en.json";

function render(chart: React.ReactNode): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={messages} timeZone="UTC">
      {chart}
    </IntlProvider>,
  );
}

const days = Array.from({ length: 30 }, (_, index) => ({
  day: new Date(Date.UTC(2026, 9, 24 + index)).toISOString().slice(0, 10),
  used: 0,
  refunded: 0,
}));
days[27] = { day: "2026-11-20", used: 10, refunded: 40 };
days[29] = { day: "2026-11-22", used: 20, refunded: 0 };

test("the chart of use says its figures in words, on each bar and in a table", () => {
  const html = render(<DailyUseChart days={days} />);
  expect(html).toContain(
    "Credits used on each of the last 30 days: 30 in all, at most 20 on one day. 40 more were charged and then refunded.",
  );
  expect(html).toContain("<title>Nov 20: 10 credits used</title>");
  expect(html).toContain("<title>Nov 20: 40 credits refunded</title>");
  expect(html.match(/<rect class="bar"/g)).toHaveLength(2);
  const rows = html.match(/<tr><th scope="row">.*?<\/tr>/g) ?? [];
  expect(rows.map((row) => row.replace(/<[^>]+>/g, " ").trim())).toEqual([
    "Nov 20  10  40",
    "Nov 22  20  –",
  ]);
});

test("without a refund, the chart of use has no sign for one", () => {
  const html = render(<DailyUseChart days={days.map((day) => ({ ...day, refunded: 0 }))} />);
  expect(html).not.toContain("swatch-ghost");
  expect(html).toContain("None were refunded.");
});

test("the chart of the balance stays level until credits come or go", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  const html = render(
    <BalanceChart
      days={90}
      now={now}
      points={[
        { at: new Date("2026-08-24T12:00:00Z"), balance: 0 },
        { at: new Date("2026-10-08T12:00:00Z"), balance: 800 },
        { at: new Date("2026-11-21T12:00:00Z"), balance: 720 },
      ]}
    />,
  );
  expect(html).toContain("It went from 0 to 720 credits; the lowest was 0 and the highest 800.");
  // Level to the half, straight up, level, down, level to the edge.
  expect(html).toMatch(
    /class="step" d="M0,214L50,214L50,6L98\.89,6L98\.89,26\.8L100,26\.8L100,26\.8"/,
  );
});

test.each([
  ["use", <DailyUseChart key="use" days={days} />],
  ["balance", <BalanceChart key="balance" days={90} now={new Date()} points={[]} />],
])("the chart of the %s needs no style attribute, which the pages' policy forbids", (_, chart) => {
  expect(render(chart)).not.toMatch(/ style=/);
});
