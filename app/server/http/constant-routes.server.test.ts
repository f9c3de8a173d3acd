import type { ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { listConstantApiRoutes } from "./constant-routes.server";

const routes = {
  root: { id: "root", path: "" },
  webhook: { id: "webhook", parentId: "root", path: "api/payments/webhook" },
  openapi: { id: "openapi", parentId: "root", path: "api/openapi.json" },
  file: { id: "file", parentId: "root", path: "api/storage/files/:fileId" },
  rest: { id: "rest", parentId: "root", path: "api/*" },
  page: { id: "page", parentId: "root", path: ":locale" },
  nested: { id: "nested", parentId: "page", path: "api/nested" },
};

test("a constant path of the API is served by its own route and the root; no other path is listed", () => {
  const build = { routes, publicPath: "/" } as unknown as ServerBuild;
  const listed = listConstantApiRoutes(build);
  expect(
    listed.map(({ path, build }) => [path, Object.keys(build.routes), build.publicPath]),
  ).toEqual([
    ["/api/payments/webhook", ["root", "webhook"], "/"],
    ["/api/openapi.json", ["root", "openapi"], "/"],
  ]);
});
