import { createServer, type RequestListener, type Server } from "node:http";
import { respondToClientErrors } from "~/server/http/client-error.server";
import { oneAtATime } from "~/server/http/guards/one-at-a-time.server";
import { cutTinyPieces } from "~/server/http/guards/tiny-pieces.server";
import type { HttpLimits } from "~/server/http/http-limits.server";
import { countAccepted } from "~/utils/accept-first.server";
import { log } from "~/utils/logger.server";

/** Refused connections are logged at most once a minute, however many there are. */
const DROP_LOG_INTERVAL_MS = 60_000;

/**
 * Creates an HTTP server with these limits; it isn't listening yet. What it refuses before there is a request
 * carries `errorHeaders`.
 */
export function createHttpServer(
  listener: RequestListener,
  limits: HttpLimits,
  errorHeaders: [string, string][],
): Server {
  const server = createServer(
    {
      // We refuse a request without Host ourselves: Node's response has no body and no request id.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      connectionsCheckingInterval: limits.connectionsCheckingInterval,
      keepAliveTimeout: limits.keepAliveTimeout,
      maxHeaderSize: limits.maxHeaderSize,
    },
    oneAtATime((request, response) => {
      cutTinyPieces(request);
      listener(request, response);
    }, limits.maxPipelinedRequests),
  );
  // Node ends such a connection itself as long as nothing listens for `timeout`.
  server.timeout = limits.idleTimeout;
  server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
  server.maxConnections = limits.maxConnections;
  countAccepted(server);
  logDrops(server);
  respondToClientErrors(server, errorHeaders);
  return server;
}

function logDrops(server: Server): void {
  let quietUntil = 0;
  server.on("drop", () => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + DROP_LOG_INTERVAL_MS;
    log().warn({ maxConnections: server.maxConnections }, "connections refused: too many are open");
  });
}
