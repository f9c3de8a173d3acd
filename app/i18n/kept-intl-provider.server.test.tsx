import { renderToStaticMarkup } from "react-dom/server";
import { useFormatter, useTranslations } from "use-intl";
import { expect, test, vi } from "vitest";
import { KeptIntlProvider } from "./kept-intl-provider.server";
import { LOCALES, type Locale } from "./locale";

function Sample() {
  const t = useTranslations();
  const format = useFormatter();
  return (
    <>
      {t("nav.openCredits", { count: 12_345 })} {format.number(1234567.5)}{" "}
      {format.dateTime(new Date("2026-02-01T23:30:00Z"), { dateStyle: "long" })}
    </>
  );
}

const render = (locale: Locale) =>
  renderToStaticMarkup(
    <KeptIntlProvider locale={locale}>
      <Sample />
    </KeptIntlProvider>,
  );

test("each language keeps its own texts, numbers and dates, in whatever order they are asked for", () => {
  const first = LOCALES.map(render);
  expect(new Set(first).size).toBe(LOCALES.length);
  expect(first[0]).toContain("1,234,567.5 February 1, 2026");
  expect(first[1]).toContain("1.234.567,5 1 de febrero de 2026");
  expect(first[2]).toContain("1,234,567.5 2026年2月1日");
  expect(LOCALES.toReversed().map(render).reverse()).toEqual(first);
});

test("a second page in a language makes no new formatter", () => {
  for (const locale of LOCALES) render(locale);
  const made = [vi.spyOn(Intl, "NumberFormat"), vi.spyOn(Intl, "DateTimeFormat")];
  for (const locale of LOCALES) render(locale);
  expect(made.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
