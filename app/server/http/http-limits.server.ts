/** Limits of the HTTP server. Times are in milliseconds. */
export interface HttpLimits {
  /** From the connection, or the end of the previous request, to the end of a request's headers. */
  headersTimeout: number;
  /** From the same start to the end of the body. */
  requestTimeout: number;
  /** How often Node looks for requests that exceed the two times above. */
  connectionsCheckingInterval: number;
  /** How long a connection stays open with no request on it. */
  keepAliveTimeout: number;
  /** How long a connection may be idle in the middle of a request or a response. */
  idleTimeout: number;
  /** Bytes of a request's first line and headers together. */
  maxHeaderSize: number;
  maxRequestsPerSocket: number;
  /** Requests that may wait on a connection for an earlier response. */
  maxPipelinedRequests: number;
  maxConnections: number;
}

/** Time to send the response after a generation that used its full time limit. */
const RESPONSE_MARGIN_MS = 30_000;

/**
 * The limits this process serves with. Node's defaults let a silent client hold a connection for
 * minutes, and a client that never reads the response hold it for ever.
 */
export function httpLimits({ ttl }: { ttl: { generation: number } }): HttpLimits {
  return {
    // A browser sends its headers in one packet.
    headersTimeout: 15_000,
    // 10 MB, the largest body, in two minutes needs a line of 0.7 Mbit/s.
    requestTimeout: 120_000,
    connectionsCheckingInterval: 5_000,
    // Longer than the 60 s for which load balancers keep a connection. With a shorter time, a
    // balancer sends a request on a connection that was just closed here, and the visitor sees a
    // 502.
    keepAliveTimeout: 65_000,
    // An image request is silent until the image provider responds.
    idleTimeout: Math.max(330_000, ttl.generation * 1_000 + RESPONSE_MARGIN_MS),
    // Node's default, stated because the work per header grows with it.
    maxHeaderSize: 16_384,
    // A new connection now and then spreads the load again behind a balancer.
    maxRequestsPerSocket: 1_000,
    // No browser and no common proxy pipelines requests.
    maxPipelinedRequests: 16,
    // A connection costs about 20 kB; most systems give a process at least 4,096 descriptors.
    maxConnections: 2_000,
  };
}
