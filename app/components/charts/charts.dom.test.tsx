// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { translatorOf } from "#tests/fixtures/languages";
import { renderInPage } from "#tests/helpers/component";
import { BalanceChart } from "~/components/charts/balance-chart";
import { DailyUseChart } from "~/components/charts/daily-use-chart";
import { LOCALES } from "~/i18n/locale";
import type { DayOfUse } from "~/models/accounts/movement";

const NOW = new Date("2026-11-22T12:00:00Z");

const SERIES = [
  { at: new Date("2026-08-24T12:00:00Z"), balance: 0 },
  { at: new Date("2026-10-08T12:00:00Z"), balance: 800 },
  { at: new Date("2026-11-21T12:00:00Z"), balance: 720 },
];

const dayOf = (day: string, used: number, refunded = 0): DayOfUse => ({ day, used, refunded });

/** The texts that are drawn: numbers from the floor up, then dates. */
const drawn = (container: HTMLElement) =>
  [...container.querySelectorAll("svg text")].map(({ textContent }) => textContent);

const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test("the axes have round numbers and dates, and screen readers get the sentence instead", () => {
  const { container } = renderInPage(<BalanceChart points={SERIES} days={90} now={NOW} />);
  expect(screen.getByRole("img")).toHaveAccessibleName(
    "Your balance over the last 90 days. It went from 0 to 720 credits; the lowest was 0 and the highest 800.",
  );
  expect(drawn(container).slice(0, 5)).toEqual(["0", "200", "400", "600", "800"]);
  expect(drawn(container).at(-1)).toBe("Nov 22");
  for (const axis of container.querySelectorAll("svg:has(text)")) {
    expect(axis).toHaveAttribute("aria-hidden", "true");
  }
});

test("the numbers are a table, which opens at a press", async () => {
  renderInPage(<BalanceChart points={SERIES} days={90} now={NOW} />);
  const table = screen.getByRole("table", { hidden: true });
  expect(table).not.toBeVisible();
  await userEvent.click(screen.getByText("Show as a table"));
  expect(table).toBeVisible();
  expect(table).toHaveAccessibleName("Your balance, last 90 days");
  expect(rowsOf(table)).toEqual([
    ["Day", "Balance"],
    ["Aug 24, 2026", "0"],
    ["Oct 8, 2026", "800"],
    ["Nov 21, 2026", "720"],
  ]);
});

test("a balance that never changed is a level line", () => {
  renderInPage(<BalanceChart points={SERIES.slice(0, 1)} days={90} now={NOW} />);
  expect(screen.getByRole("img")).toHaveAccessibleName(
    /It went from 0 to 0 credits; the lowest was 0 and the highest 0\.$/,
  );
});

test("large numbers are short on the axis, and whole in the words and the table", () => {
  const points = SERIES.map(({ at, balance }) => ({ at, balance: balance * 2_500 }));
  const { container } = renderInPage(<BalanceChart points={points} days={90} now={NOW} />);
  expect(drawn(container)).toContain("2M");
  expect(screen.getByRole("img")).toHaveAccessibleName(/the highest 2,000,000\.$/);
  expect(screen.getByRole("cell", { name: "1,800,000", hidden: true })).toBeInTheDocument();
});

test("days without use have no bar and no row", () => {
  const days = [dayOf("2026-11-20", 0), dayOf("2026-11-21", 0), dayOf("2026-11-22", 0)];
  const { container } = renderInPage(<DailyUseChart days={days} />);
  expect(screen.getByRole("img")).toHaveAccessibleName(
    "Credits used on each of the last 3 days: 0 in all, at most 0 on one day. None were refunded.",
  );
  expect(container.querySelectorAll(".bar, .bar-ghost")).toHaveLength(0);
  expect(rowsOf(screen.getByRole("table", { hidden: true }))).toHaveLength(1);
});

test("one day alone has its bar, its date and its row", () => {
  const { container } = renderInPage(<DailyUseChart days={[dayOf("2026-11-22", 1_240, 10)]} />);
  expect(container.querySelectorAll(".bar")).toHaveLength(1);
  expect(screen.getByText("Nov 22: 1,240 credits used")).toBeInTheDocument();
  expect(drawn(container)).toContain("Nov 22");
  expect(rowsOf(screen.getByRole("table", { hidden: true }))[1]).toEqual(["Nov 22", "1,240", "10"]);
});

test.each(LOCALES)("the chart speaks %s: its words, its table and its dates", (locale) => {
  const t = translatorOf(locale);
  const { container } = renderInPage(<BalanceChart points={SERIES} days={90} now={NOW} />, {
    locale,
  });
  expect(screen.getByRole("img")).toHaveAccessibleName(
    t("credits.chartText", { days: 90, from: "0", to: "720", low: "0", high: "800" }),
  );
  expect(screen.getByText(t("credits.asTable"))).toBeVisible();
  const date = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  expect(drawn(container).at(-1)).toBe(date.format(NOW));
});
