import { expect, test } from "vitest";
import { themeFromCookies } from "./theme";

test.each([
  ["theme=light", "light"],
  ["a=1; theme=dark", "dark"],
  ["a=1;theme=dark;b=2", "dark"],
  ["", "system"],
  [null, "system"],
  ["theme=", "system"],
  ["theme=Dark", "system"],
  ["theme=darker", "system"],
  ["theme=dark x", "system"],
  ["theme=%64ark", "system"],
  ['theme="dark"', "system"],
  ["mytheme=dark", "system"],
  ["theme=nothing; theme=dark", "system"],
])("the cookies %j choose the theme %s", (cookies, theme) => {
  expect(themeFromCookies(cookies, new URL("http://site.example"))).toBe(theme);
});

test("under https only the cookie that is bound to this host counts", () => {
  const site = new URL("https://site.example");
  expect(themeFromCookies("theme=light; __Host-theme=dark", site)).toBe("dark");
  expect(themeFromCookies("theme=light", site)).toBe("system");
});
