import { expect, test } from "vitest";
import { findPublicPage, languageVersions } from "~/public-pages";

test.each(["/en", "/zh/", "/es/pricing", "/en/terms/"])("%s is public", (path) => {
  expect(findPublicPage(path)).not.toBeNull();
});

test.each(["/", "/pricing", "/en/account", "/en/pricing/more", "/fr/pricing", "/en/files"])(
  "%s is not a public page",
  (path) => {
    expect(findPublicPage(path)).toBeNull();
  },
);

test("a page has an address in each language, and the default language's for other readers", () => {
  expect(languageVersions("https://shop.test", "/pricing")).toEqual([
    { hreflang: "en", href: "https://shop.test/en/pricing" },
    { hreflang: "es", href: "https://shop.test/es/pricing" },
    { hreflang: "zh", href: "https://shop.test/zh/pricing" },
    { hreflang: "x-default", href: "https://shop.test/en/pricing" },
  ]);
});
