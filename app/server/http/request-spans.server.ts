import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";
import { KNOWN_METHODS } from "~/server/http/guards/allowed-methods.server";
import { urlOf } from "~/server/http/guards/request-target.server";
import { routeFinder } from "~/server/http/request-metrics.server";
import { currentRequest } from "~/utils/request-context.server";
import { inSpan, isTracing } from "~/utils/tracing.server";

/** Makes each request a span, under its route. */
export function requestSpans(routes: ServerBuild["routes"]): RequestHandler {
  const routeOf = routeFinder(routes);
  return (request, response, next) => {
    if (!isTracing()) return next();
    const { originalUrl } = request;
    const method = KNOWN_METHODS.has(request.method) ? request.method : "other";
    const route = routeOf(originalUrl.startsWith("/") ? urlOf(originalUrl).pathname : "");
    const context = currentRequest();
    const facts = {
      "http.request.method": method,
      "http.route": route,
      "rcs.request_id": context?.requestId ?? "",
    };
    const span = inSpan({ name: `${method} ${route}`, kind: "server", facts }, async (note) => {
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      next();
      await closed;
      note({
        "http.response.status_code": response.statusCode,
        ...(context?.userId ? { "rcs.user_id": context.userId } : {}),
        ...(context?.key ? { "rcs.api_key_id": context.key.apiKeyId } : {}),
      });
      if (response.statusCode >= 500) throw new Error("5xx");
    });
    span.catch(() => undefined);
  };
}
