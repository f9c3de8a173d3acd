/** Limits of the HTTP server. Times are in milliseconds. */
export interface HttpLimits {
  /** From the connection, or the end of the request before, to the end of a request's headers. */
  headersTimeout: number;
  /** From the same start to the end of the body. */
  requestTimeout: number;
  /** How often Node looks for requests that are over the two times above. */
  connectionsCheckingInterval: number;
  /** How long a connection stays open with no request on it. */
  keepAliveTimeout: number;
  /** How long nothing may move on a connection in the middle of a request or an answer. */
  idleTimeout: number;
  /** Bytes of a request's first line and headers together. */
  maxHeaderSize: number;
  maxRequestsPerSocket: number;
  /** Requests that may wait on a connection for the answer to an earlier one. */
  maxPipelinedRequests: number;
  maxConnections: number;
}

/** Room for the answer after a generation that took all of its time. */
const ANSWER_MARGIN_MS = 30_000;

/**
 * The limits this process serves with. Node's own let a silent client hold a connection for
 * minutes, and one that never reads its answer for ever.
 */
export function httpLimits({ ttl }: { ttl: { generation: number } }): HttpLimits {
  return {
    // A browser sends its headers in one packet.
    headersTimeout: 15_000,
    // 10 MB, the largest body, in two minutes: a line of 0.7 Mbit/s.
    requestTimeout: 120_000,
    connectionsCheckingInterval: 5_000,
    // Above the 60 s for which load balancers keep a connection. Below it a balancer sends a request
    // on a connection that was just closed here, and its visitor sees a 502.
    keepAliveTimeout: 65_000,
    // A request for images is silent for as long as their provider takes.
    idleTimeout: Math.max(330_000, ttl.generation * 1_000 + ANSWER_MARGIN_MS),
    // Node's default, named because the work on every header grows with it.
    maxHeaderSize: 16_384,
    // A fresh connection now and then spreads the load anew behind a balancer.
    maxRequestsPerSocket: 1_000,
    // No browser and no common proxy pipelines at all.
    maxPipelinedRequests: 16,
    // A connection costs about 20 kB; most systems give a process at least 4,096 descriptors.
    maxConnections: 2_000,
  };
}
