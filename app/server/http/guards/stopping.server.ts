import type { RequestListener, ServerResponse } from "node:http";

let stopping = false;

/** Whether this process was told to stop. It may still serve: balancers need time to notice. */
export function isStopping(): boolean {
  return stopping;
}

/**
 * Wraps the server's listener so that connections can be given up without losing a request. From
 * `beginStopping` on, every response that has not begun yet carries `Connection: close`: a proxy then
 * sends its next request on a new connection, to a server that still accepts them.
 */
export function withStopping(listener: RequestListener): {
  listener: RequestListener;
  beginStopping(): void;
} {
  const open = new Set<ServerResponse>();
  return {
    listener(request, response) {
      open.add(response);
      response.once("close", () => open.delete(response));
      if (stopping) response.shouldKeepAlive = false;
      listener(request, response);
    },
    beginStopping() {
      stopping = true;
      for (const response of open) if (!response.headersSent) response.shouldKeepAlive = false;
    },
  };
}
