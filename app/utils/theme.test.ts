import { expect, test } from "vitest";
import { themeOfCookies } from "./theme";

test.each([
  [null, "system"],
  ["", "system"],
  ["theme=dark", "dark"],
  ["a=b; theme=light; c=d", "light"],
  ["theme=system", "system"],
  ["theme=DARK", "system"],
  ['theme="dark"', "system"],
  ["mytheme=dark", "system"],
  ["theme=dark; theme=light", "dark"],
])("the cookies %j ask for the theme %s", (header, theme) => {
  expect(themeOfCookies(header)).toBe(theme);
});
