import type { LoaderFunction, ServerBuild } from "@remix-run/node";
import { logFault } from "~/server/request/log-fault.server";
import { asAppError } from "~/utils/app-error";
import { mayChange } from "~/utils/request-context.server";

/**
 * Returns a build in which an AppError that a loader or an action throws becomes a response of the error's own
 * status, for pages the error page. Remix would make it a 500. API routes throw none: they make problem documents.
 */
export function withRefusals(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = { ...route.module };
    if (loader) module.loader = refusing(loader);
    if (action) module.action = refusing(action);
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function refusing(handler: LoaderFunction): LoaderFunction {
  return async (...args) => {
    try {
      return await handler(...args);
    } catch (error) {
      const expected = asAppError(error, { mayChange: mayChange() });
      if (!expected) throw error;
      logFault(expected);
      const { status, headers, publicMessage, code } = expected;
      // The error page tells the codes of one status apart.
      throw new Response(publicMessage, { status, headers, statusText: code });
    }
  };
}
