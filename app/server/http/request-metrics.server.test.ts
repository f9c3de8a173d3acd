import type { ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { listRoutes, pathTo } from "#tests/helpers/route-list";
import { routeFinder } from "./request-metrics.server";
import { routeMatcher } from "./route-tree.server";

/** The project's own routes, as flat routes nest them: everything under `$locale` has its layout. */
const routes = Object.fromEntries([
  ["root", { id: "root", path: "" }],
  ["$locale", { id: "$locale", parentId: "root", path: ":locale" }],
  ...listRoutes().map(({ address }) => {
    const path = address.slice(1).replace(/\{(\w+)\}/g, ":$1");
    const isOfLocale = path === ":locale" || path.startsWith(":locale/");
    const own = isOfLocale ? path.slice(":locale/".length) : path;
    const parentId = isOfLocale ? "$locale" : "root";
    const id = `routes/${address}`;
    return [id, own === "" ? { id, parentId, index: true } : { id, parentId, path: own }];
  }),
]) as unknown as ServerBuild["routes"];

const find = routeFinder(routes);
const matches = routeMatcher(routes);

test("a request's route is the one that Remix chooses, for every route and for addresses between them", () => {
  const paths = listRoutes().map(({ address }) => pathTo(address));
  const near = paths.flatMap((path) => [
    path.toUpperCase(),
    `${path}/`,
    `${path === "/" ? "" : path}/more`,
    path.replace(/\/[^/]*$/, ""),
    path.replace(/\/[^/]*$/, "/constructor"),
  ]);
  expect(paths.length).toBeGreaterThan(50);
  for (const path of [...paths, ...near, "/", "//", "/__proto__", "/en/x/y/z"]) {
    const chosen = matches(path).at(-1)?.route.id ?? "$";
    // A layout alone is no route of its own.
    const expected = chosen === "$locale" || chosen === "root" ? "$" : chosen;
    expect([path, find(path)]).toEqual([path, expected.replace(/^routes\//, "")]);
  }
});
