import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { expect, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { listConstantRoutes } from "./constant-routes.server";

const routes = {
  root: { id: "root", path: "" },
  start: { id: "start", parentId: "root", index: true },
  webhook: { id: "webhook", parentId: "root", path: "api/payments/webhook" },
  openapi: { id: "openapi", parentId: "root", path: "api/openapi.json" },
  file: { id: "file", parentId: "root", path: "api/storage/files/:fileId" },
  rest: { id: "rest", parentId: "root", path: "api/*" },
  locale: { id: "locale", parentId: "root", path: ":locale" },
  home: { id: "home", parentId: "locale", index: true },
  files: { id: "files", parentId: "locale", path: "files" },
  deletion: { id: "deletion", parentId: "locale", path: "files/:fileId/delete" },
  missing: { id: "missing", parentId: "locale", path: "*" },
};
const build = { routes, assets: { routes, version: "1" }, publicPath: "/" };
const listed = listConstantRoutes(build as unknown as ServerBuild);

test("a path without a parameter is served by its own route and that route's parents", () => {
  expect(listed.map(({ paths, build }) => [paths, Object.keys(build.routes)])).toEqual([
    [["/"], ["root", "start"]],
    [["/api/payments/webhook"], ["root", "webhook"]],
    [["/api/openapi.json"], ["root", "openapi"]],
    [LOCALES.map((locale) => `/${locale}`), ["root", "locale", "home"]],
    [LOCALES.map((locale) => `/${locale}/files`), ["root", "locale", "files"]],
  ]);
});

test("a path is listed only for the route that all routes together would choose for it", () => {
  const children = (parentId?: string): Parameters<typeof matchRoutes>[0] =>
    Object.values(routes)
      .filter((route) => ("parentId" in route ? route.parentId : undefined) === parentId)
      .map((route) => ("index" in route ? route : { ...route, children: children(route.id) }));
  for (const { paths, build } of listed)
    for (const path of paths) {
      const chosen = matchRoutes(children(), path) ?? [];
      expect(chosen.map(({ route }) => route.id)).toEqual(Object.keys(build.routes));
    }
});

test("a smaller build keeps everything but the other routes", () => {
  const { build: smaller } = listed.at(-1) ?? {};
  expect(smaller?.publicPath).toBe("/");
  expect(smaller?.assets.version).toBe("1");
  expect(Object.keys(smaller?.assets.routes ?? {})).toEqual(["root", "locale", "files"]);
});
