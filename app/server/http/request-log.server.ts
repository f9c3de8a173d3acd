import { randomUUID } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { log } from "~/utils/logger.server";
import { networkOf } from "~/utils/network-address";
import { type RequestContext, runWithRequestContext } from "~/utils/request-context.server";

const INCOMING_ID = /^[A-Za-z0-9._-]{8,128}$/;
/** Requested constantly by machines; a line for each would drown the rest. */
const UNLOGGED = /^\/(assets\/|healthz$|readyz$)/;

/**
 * Gives every request an id, returns it as `X-Request-Id` and puts it on every log line of the
 * request. Writes one line when the response ends or the visitor disconnects, with the visitor's
 * network and, if the session was read, the user.
 */
export function requestLog(options: { trustProxy: number }): RequestHandler {
  return (request, response, next) => {
    const requestId = requestIdOf(request, options.trustProxy);
    response.setHeader("X-Request-Id", requestId);
    response.locals.requestId = requestId;
    const began = performance.now();
    // The path only: a query may carry tokens (email links, return parameters).
    const { method, path } = request;
    const address = request.ip ?? "unknown";
    const context: RequestContext = { requestId, network: networkOf(address), address };
    runWithRequestContext(context, () => {
      response.once("close", () => {
        if (UNLOGGED.test(path)) return;
        const { network, userId } = context;
        runWithRequestContext(context, () =>
          log().info(
            {
              method,
              path,
              status: response.statusCode,
              ms: Math.round(performance.now() - began),
              network,
              ...(userId ? { userId } : {}),
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

/** Uses a proxy's request id only under `TRUST_PROXY`; otherwise any client could set it. */
function requestIdOf(request: Request, trustProxy: number): string {
  const sent = trustProxy > 0 ? request.headers["x-request-id"] : undefined;
  return typeof sent === "string" && INCOMING_ID.test(sent) ? sent : randomUUID();
}
