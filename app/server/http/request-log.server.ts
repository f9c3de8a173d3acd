import { randomUUID } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { log } from "~/utils/logger.server";
import { networkOf } from "~/utils/network-address";
import { type RequestContext, runWithRequestContext } from "~/utils/request-context.server";

const INCOMING_ID = /^[A-Za-z0-9._-]{8,128}$/;
/** Asked for all the time by machines; a line each would drown the rest. */
const UNLOGGED = /^\/(assets\/|healthz$|readyz$)/;

/**
 * Gives every request an id, answers it as `X-Request-Id`, puts it on every log line written
 * meanwhile, and writes one line when the response has ended or the visitor has gone: with the
 * visitor's network and, where the session was read, the user.
 */
export function requestLog(options: { trustProxy: number }): RequestHandler {
  return (request, response, next) => {
    const requestId = requestIdOf(request, options.trustProxy);
    response.setHeader("X-Request-Id", requestId);
    response.locals.requestId = requestId;
    const began = performance.now();
    // Only the path: a query may carry tokens (e-mail links, return parameters).
    const { method, path } = request;
    const context: RequestContext = { requestId, network: networkOf(request.ip ?? "unknown") };
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

/** A proxy's own id is taken over only under `TRUST_PROXY`; anybody could send one otherwise. */
function requestIdOf(request: Request, trustProxy: number): string {
  const sent = trustProxy > 0 ? request.headers["x-request-id"] : undefined;
  return typeof sent === "string" && INCOMING_ID.test(sent) ? sent : randomUUID();
}
