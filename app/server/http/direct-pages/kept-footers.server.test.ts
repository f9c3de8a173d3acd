import { expect, test } from "vitest";
import { keptFooters } from "./kept-footers.server";

const signedIn = { theme: "system", user: { email: "ada@example.com" } };
const page = (footer: string) =>
  `<main>Ada</main><footer class="site-footer">${footer}</footer></body></html>`;

test("only what is inside the footer is kept", () => {
  const footers = keptFooters();
  footers.keep(signedIn, page("<a>Terms</a>"));
  expect(footers.find({ ...signedIn, user: { email: "bob@example.com" } } as typeof signedIn)).toBe(
    "<a>Terms</a>",
  );
});

test("a visitor and another theme have footers of their own", () => {
  const footers = keptFooters();
  footers.keep(signedIn, page("light"));
  expect(footers.find({ ...signedIn, user: null })).toBeUndefined();
  expect(footers.find({ ...signedIn, theme: "dark" })).toBeUndefined();
});

test("nothing is kept of a page without a footer", () => {
  const footers = keptFooters();
  footers.keep(signedIn, "<main>Ada</main>");
  expect(footers.find(signedIn)).toBeUndefined();
});
