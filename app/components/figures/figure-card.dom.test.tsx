// @vitest-environment jsdom

import { expect, test } from "vitest";
import { translatorOf } from "#tests/fixtures/languages";
import { renderInPage } from "#tests/helpers/component";
import { FIGURES, type Figure } from "~/components/figures/figure";
import { FigureCard } from "~/components/figures/figure-card";
import { FIGURE_TEXTS } from "~/components/figures/figure-texts";
import { LOCALES } from "~/i18n/locale";

const FIGURE: Figure = {
  name: "revenue",
  columns: ["month", "product", "currency", "paid", "returned", "net"],
  rows: [
    ["2026-10", "pro_annual", "usd", 1290.5, 0, 1290.5],
    ["2026-09", "pro_annual", "usd", 0, 290, -290],
  ],
  bars: [
    { month: "2026-09", value: -290 },
    { month: "2026-10", value: 1290.5 },
  ],
};

const render = (figure: Figure, locale: (typeof LOCALES)[number] = "en") =>
  renderInPage(<FigureCard figure={figure} csvHref="/figure.csv" />, { locale }).container
    .innerHTML;

test("a figure has its rows in words, one bar for each month above 0, its table and its file", () => {
  const html = render(FIGURE);
  expect(html.match(/class="bar"/g)).toHaveLength(1);
  expect(html).toContain("Oct 2026: 1,290.5");
  // Money has its currency's decimals, counts have none.
  for (const cell of ["1,290.50", "0.00", "-290.00"]) expect(html).toContain(`>${cell}<`);
  // A bar stands for a month, and no day.
  expect(html).toContain(">Oct 2026</text>");
  expect(html).toContain('href="/figure.csv"');
});

test.each(LOCALES)(
  "every figure has its words in %s, and says so where there is nothing",
  (locale) => {
    for (const name of FIGURES) {
      const html = render({ ...FIGURE, name, rows: [], bars: [] }, locale);
      const t = translatorOf(locale);
      const texts = [t(FIGURE_TEXTS[name].title), t(FIGURE_TEXTS[name].rows), t("figures.none")];
      for (const text of texts) expect(html).toContain(text);
      expect(html).not.toContain("<table");
    }
  },
);
