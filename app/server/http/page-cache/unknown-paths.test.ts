import type { ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { unknownPaths } from "./unknown-paths";

const route = (path: string | undefined, parentId = "root", id = path ?? "layout") => ({
  id,
  parentId,
  ...(path === undefined ? { index: true } : { path }),
});
const ROUTES = [
  { id: "root", path: "" },
  route("api/*"),
  route(".well-known/security.txt"),
  route("unsubscribe"),
  route("*"),
  route(undefined, "root", "start"),
  { id: "frameless", parentId: "root" },
  route("invoices", "frameless"),
  route(":locale"),
  route(undefined, ":locale", "home"),
  route("Pricing", ":locale"),
  route("account/billing", ":locale"),
  route("*", ":locale", "splat"),
];
const tableOf = (routes: object[]) =>
  Object.fromEntries(
    routes.map((route) => [(route as { id: string }).id, route]),
  ) as unknown as ServerBuild["routes"];
const find = unknownPaths(tableOf(ROUTES));

const LAST = LOCALES.at(-1);

test.each([
  ["/en/nothing", "/en/not-found"],
  [`/${LAST}/nothing/at/all/`, null],
  [`/${LAST}/nothing/at/all`, `/${LAST}/not-found`],
  ["/xx", "/not-found"],
  ["/wp-login.php", "/not-found"],
  ["/.env", "/not-found"],
  ["/EN/nothing", "/not-found"],
  ["/favicon.ico", "/not-found"],
])("no route has the address %s: its page is %s", (path, page) => {
  expect(find(path)?.path ?? null).toBe(page);
});

test("10,000 unknown addresses share one page a language, and one more", () => {
  const pages = Array.from({ length: 10_000 }, (_, index) => {
    const random = Math.random().toString(36);
    const firsts = [...LOCALES, random];
    const first = firsts[index % firsts.length];
    return find(`/${first}/${random}/${index}`)?.path;
  });
  expect(new Set(pages)).toEqual(
    new Set([...LOCALES.map((locale) => `/${locale}/not-found`), "/not-found"]),
  );
});

test.each([
  "/",
  "/en",
  "/en/",
  "/en/pricing",
  "/en/PRICING",
  "/en/account/nothing",
  "/xx/pricing",
  "/api/nothing",
  "/API",
  "/unsubscribe",
  "/invoices",
  "/.well-known/nothing",
  "/en/%70ricing",
  "/en/%2e%2e/nothing",
  "/en//nothing",
  "//en/nothing",
  "/en/../nothing",
  "/en/./nothing",
  "/..",
  "/en/nothing.data",
  "/nothing.data",
  "/__manifest",
  "/en/nothing?a=1",
  "/en\\nothing",
  "/en/ñandú",
])("%s is left to Remix", (path) => {
  expect(find(path)).toBeNull();
});

test.each([[route(":slug", ":locale")], [route(":page/edit")], [route("shop?", ":locale")]])(
  "with a route that can match any segment (%j), every address is left to Remix",
  (added) => {
    const findAny = unknownPaths(tableOf([...ROUTES, added]));
    expect([findAny("/en/nothing"), findAny("/nothing")]).toEqual([null, null]);
  },
);
