import * as remixBuild from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/express";
import { createRequestHandler as createRenderer, type ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type Express, type RequestHandler } from "express";
import { type Env, getEnv } from "~/env.server";
import { discardUnread } from "~/server/http/guards/discard-unread.server";
import { closeGlobalFetch } from "~/services/outgoing/platform-fetch.server";
import { builtFiles } from "./built-files.server";
import { listConstantRoutes } from "./constant-routes.server";
import { directly } from "./direct/direct.server";
import { allowedMethods } from "./guards/allowed-methods.server";
import { apiKeys } from "./guards/api-keys.server";
import { fairTurns } from "./guards/fair-turns.server";
import { forwardedHeaders } from "./guards/forwarded-headers.server";
import { notStoredByDefault } from "./guards/not-stored.server";
import { pathTargetsOnly } from "./guards/request-target.server";
import { sameOriginOnly } from "./guards/same-origin.server";
import { loadContextOf } from "./load-context.server";
import { pageCache } from "./page-cache/page-cache.server";
import { withRefusals } from "./refusals.server";
import { requestLog } from "./request-log.server";
import { requestMetrics } from "./request-metrics.server";
import { requestSpans } from "./request-spans.server";
import { contentPolicy, securityHeaders } from "./security-headers.server";
import { unexpectedError } from "./unexpected-error.server";

export { runWorkerProcess } from "~/server/background/worker-process.server";
export { startServer } from "~/server/http/start-server.server";

const build = withRefusals(remixBuild);

/**
 * Creates the whole HTTP service: the middleware that every request passes, in order, before Remix
 * routes it. Only `staticFiles` is off in development, where Vite serves them.
 */
export function createApp(options: { staticFiles: boolean }): Express {
  closeGlobalFetch();
  const env = getEnv();
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", env.trustProxy);
  // First, so that every refusal below has an id, a log line and the headers.
  app.use(requestLog(env));
  app.use(requestMetrics(build.routes));
  app.use(requestSpans(build.routes));
  app.use(discardUnread);
  app.use(securityHeaders(env));
  app.use(forwardedHeaders(env));
  app.use(pathTargetsOnly);
  app.use(apiKeys);
  const cache = pageCache({
    render: createRenderer(build, env.nodeEnv),
    siteUrl: env.siteUrl,
    routes: build.routes,
    policyFor: (scripts) => contentPolicy(env, { scripts, frames: [] }),
  });
  // None of these is compressed for a request: they were, once.
  app.use(cache.pages);
  if (options.staticFiles) app.use(builtFiles("build/client"));
  app.use(cache.notFound);
  app.use(compression());
  app.use(notStoredByDefault);
  app.use(allowedMethods(build.routes));
  app.use(sameOriginOnly(env));
  app.use(fairTurns);
  app.use(routeRequests(env));
  app.use(unexpectedError);
  return app;
}

/**
 * Hands each request to Remix: a constant path to a handler that knows this path's routes alone. Pages of such paths are
 * rendered directly, unless `DIRECT_RENDERING` is off.
 */
function routeRequests({ directRendering }: Env): RequestHandler {
  const remix = (routes: ServerBuild) =>
    createRequestHandler({ build: routes, getLoadContext: loadContextOf });
  const handlerOf = directRendering ? directly(remix) : remix;
  const all = remix(build);
  const constant = new Map(
    listConstantRoutes(build).flatMap(({ paths, build: own }) =>
      paths.map((path) => [path, handlerOf(own, path)]),
    ),
  );
  return (request, response, next) => (constant.get(request.path) ?? all)(request, response, next);
}
