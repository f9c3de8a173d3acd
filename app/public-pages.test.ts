import { expect, test } from "vitest";
import { DEFAULT_LOCALE, LOCALES } from "~/i18n/locale";
import { findPublicPage, languageVersions } from "~/public-pages";

test.each(
  LOCALES.flatMap((code) => [`/${code}`, `/${code}/`, `/${code}/pricing`, `/${code}/terms/`]),
)("%s is public", (path) => {
  expect(findPublicPage(path)).not.toBeNull();
});

test.each(["/", "/pricing", "/en/account", "/en/pricing/more", "/xx/pricing", "/en/files"])(
  "%s is not a public page",
  (path) => {
    expect(findPublicPage(path)).toBeNull();
  },
);

test("a page has an address in each language, and the default language's for other readers", () => {
  expect(languageVersions("https://shop.test", "/pricing")).toEqual([
    ...LOCALES.map((code) => ({ hreflang: code, href: `https://shop.test/${code}/pricing` })),
    { hreflang: "x-default", href: `https://shop.test/${DEFAULT_LOCALE}/pricing` },
  ]);
});
