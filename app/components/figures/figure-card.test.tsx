import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, test } from "vitest";
import { FIGURES, type Figure } from "~/components/figures/figure";
import { FigureCard } from "~/components/figures/figure-card";
import { LOCALES } from "~/i18n/locale";
import { messagesFor } from "~/i18n/messages.server";

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

function render(figure: Figure, locale: (typeof LOCALES)[number] = "en"): string {
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={messagesFor(locale)} timeZone="UTC">
      <FigureCard figure={figure} csvHref="/figure.csv" />
    </IntlProvider>,
  );
}

test("a figure has its rows in words, one bar for each month above 0, its table and its file", () => {
  const html = render(FIGURE);
  expect(html.match(/class="bar"/g)).toHaveLength(1);
  expect(html).toContain("Oct 2026: 1,290.5");
  expect(html).toContain("-290");
  expect(html).toContain('href="/figure.csv"');
});

test.each(LOCALES)(
  "every figure has its words in %s, and says so where there is nothing",
  (locale) => {
    for (const name of FIGURES) {
      const { title, rows } = messagesFor(locale).figures[name];
      const html = render({ ...FIGURE, name, rows: [], bars: [] }, locale);
      for (const text of [title, rows, messagesFor(locale).figures.none])
        expect(html).toContain(text);
      expect(html).not.toContain("<table");
    }
  },
);
