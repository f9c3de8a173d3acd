import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/express";
import compression from "compression";
import express, { type Express } from "express";
import { getEnv } from "~/env.server";
import { allowedMethods } from "~/server/http/allowed-methods.server";
import { forwardedHeaders } from "~/server/http/forwarded-headers.server";
import { loadContextOf } from "~/server/http/load-context.server";
import { notStoredByDefault } from "~/server/http/not-stored.server";
import { requestLog } from "~/server/http/request-log.server";
import { pathTargetsOnly } from "~/server/http/request-target.server";
import { sameOriginOnly } from "~/server/http/same-origin.server";
import { securityHeaders } from "~/server/http/security-headers.server";
import { unexpectedError } from "~/server/http/unexpected-error.server";

export { startServer } from "~/server/http/start-server.server";

/**
 * The whole HTTP service: what every request passes, in order, before Remix routes it.
 * `staticFiles` is off in development, where Vite serves them.
 */
export function createApp(options: { staticFiles: boolean }): Express {
  const env = getEnv();
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", env.trustProxy);
  // First, so that every refusal below has an id, a log line and the headers.
  app.use(requestLog(env));
  app.use(securityHeaders(env));
  app.use(forwardedHeaders(env));
  app.use(pathTargetsOnly);
  app.use(compression());
  if (options.staticFiles) {
    app.use("/assets", express.static("build/client/assets", { immutable: true, maxAge: "1y" }));
    app.use(express.static("build/client", { maxAge: "1h", index: false }));
  }
  app.use(notStoredByDefault);
  app.use(allowedMethods(build.routes));
  app.use(sameOriginOnly(env));
  app.use(createRequestHandler({ build, getLoadContext: loadContextOf }));
  app.use(unexpectedError);
  return app;
}
