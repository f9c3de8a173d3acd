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
  LOCALES.forEach((locale, index) => {
    const number = new Intl.NumberFormat(locale).format(1234567.5);
    const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
    expect(first[index]).toContain(`${number} ${date.format(new Date("2026-02-01T23:30:00Z"))}`);
  });
  expect(LOCALES.toReversed().map(render).reverse()).toEqual(first);
});

test("a second page in a language makes no new formatter", () => {
  for (const locale of LOCALES) render(locale);
  const made = [vi.spyOn(Intl, "NumberFormat"), vi.spyOn(Intl, "DateTimeFormat")];
  for (const locale of LOCALES) render(locale);
  expect(made.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
