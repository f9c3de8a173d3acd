import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import { pinoHttp } from "pino-http";
import { log } from "~/utils/logger.server";
import { runWithRequestContext } from "~/utils/request-context.server";

const INCOMING_ID = /^[A-Za-z0-9._-]{8,128}$/;

/**
 * Gives every request an id, answers it as `X-Request-Id`, and writes one line when the response
 * ends. A proxy's own id is taken over only under `TRUST_PROXY`; anybody could send one otherwise.
 */
export function requestLog(options: { trustProxy: number }): RequestHandler[] {
  const logRequest = pinoHttp({
    logger: log(),
    genReqId: (request, response) => {
      const sent = options.trustProxy > 0 ? request.headers["x-request-id"] : undefined;
      const id = typeof sent === "string" && INCOMING_ID.test(sent) ? sent : randomUUID();
      response.setHeader("X-Request-Id", id);
      return id;
    },
    customLogLevel: (_request, response, error) =>
      error || response.statusCode >= 500 ? "error" : "info",
    customSuccessMessage: () => "request",
    customErrorMessage: () => "request failed",
    customAttributeKeys: { reqId: "requestId", responseTime: "ms" },
    quietReqLogger: true,
    serializers: { req: () => undefined, res: () => undefined },
    // The query may carry tokens (e-mail links, signed URLs), so only the path is logged.
    customSuccessObject: (request, response, value) => ({
      ms: value.ms,
      method: request.method,
      path: pathOf(request.url),
      status: response.statusCode,
    }),
    customErrorObject: (request, response, error) => ({
      err: error,
      method: request.method,
      path: pathOf(request.url),
      status: response.statusCode,
    }),
    autoLogging: {
      ignore: (request) => /^\/(assets|healthz|readyz)/.test(request.url ?? ""),
    },
  });
  return [
    logRequest,
    (request, _response, next) => runWithRequestContext({ requestId: String(request.id) }, next),
  ];
}

const pathOf = (url: string | undefined) => (url ?? "").split("?")[0];
