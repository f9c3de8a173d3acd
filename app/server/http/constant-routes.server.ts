import type { ServerBuild } from "@remix-run/node";

/**
 * The routes of the API whose path has no parameter: path and a build with this route alone. Remix
 * prepares every route of its build again for each request, which took an eighth of a webhook's time.
 * A path that is written exactly like this matches no other route, so a smaller build responds alike.
 */
export function listConstantApiRoutes(build: ServerBuild): { path: string; build: ServerBuild }[] {
  const { root, ...others } = build.routes;
  if (!root) return [];
  return Object.values(others).flatMap((route) => {
    if (!route?.path || route.parentId !== root.id || !/^api\/[\w./-]+$/.test(route.path))
      return [];
    const routes = { [root.id]: root, [route.id]: route };
    return [{ path: `/${route.path}`, build: { ...build, routes } }];
  });
}
