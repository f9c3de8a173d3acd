import { expect, test } from "vitest";
import { changesPage } from "./cookie-effects";

test.each([
  ["session=x", "", true],
  ["__Host-session=x", "terms", true],
  ["a=b;  session = x", "terms", true],
  ["session", "terms", false],
  ["last-way=password", "sign-in", true],
  ["last-way=password", "sign-up", false],
  ["device=x; theme=dark; _ga=GA1.1", "sign-in", false],
  ["my-session=x; sessions=y", "", false],
  ["", "", false],
  [undefined, "", false],
])("the cookies %j change the page %j: %s", (cookies, page, expected) => {
  expect(changesPage(cookies, page)).toBe(expected);
});
