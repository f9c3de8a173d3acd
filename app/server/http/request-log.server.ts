import { randomUUID } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { urlOf } from "~/server/http/guards/request-target.server";
import { log } from "~/utils/logger.server";
import { networkOf } from "~/utils/network-address";
import { type RequestContext, runWithRequestContext } from "~/utils/request-context.server";

const INCOMING_ID = /^[A-Za-z0-9._-]{8,128}$/;
/** Requested constantly by machines; a line for each would drown the rest. */
const UNLOGGED = /^\/(assets\/|healthz$|readyz$|metrics$)/;

/**
 * Gives every request an id of our own, returns it as `X-Request-Id` and puts it on every log line of the
 * request. Writes one line when the response ends or the visitor disconnects, with the visitor's network and, if
 * the session was read, the user; under `TRUST_PROXY` also with the id that came with the request.
 */
export function requestLog(options: { trustProxy: number }): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    const proxyRequestId = options.trustProxy > 0 ? sentId(request) : null;
    response.setHeader("X-Request-Id", requestId);
    response.locals.requestId = requestId;
    const began = performance.now();
    const { method } = request;
    const path = routedPath(request.originalUrl);
    const address = request.ip ?? "unknown";
    const context: RequestContext = { requestId, method, network: networkOf(address), address };
    runWithRequestContext(context, () => {
      response.once("close", () => {
        if (UNLOGGED.test(path)) return;
        const { network, userId, key } = context;
        runWithRequestContext(context, () =>
          log().info(
            {
              method,
              path,
              status: response.statusCode,
              ms: Math.round(performance.now() - began),
              network,
              ...(proxyRequestId ? { proxyRequestId } : {}),
              ...(userId ? { userId } : {}),
              ...(key ? { apiKeyId: key.apiKeyId } : {}),
              ...(response.writableFinished ? {} : { aborted: true }),
            },
            "request",
          ),
        );
      });
      next();
    });
  };
}

/**
 * The path by which routes are found, not the target as it was sent. Without the query, which may carry tokens
 * (email links, return parameters).
 */
function routedPath(target: string): string {
  return target.startsWith("/") ? urlOf(target).pathname : target;
}

/** The id that came with the request, if it looks like one. A proxy may pass on what its client made up. */
function sentId(request: Request): string | null {
  const sent = request.headers["x-request-id"];
  return typeof sent === "string" && INCOMING_ID.test(sent) ? sent : null;
}
