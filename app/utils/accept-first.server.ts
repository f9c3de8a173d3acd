import type { Server } from "node:http";

/** Connections that are accepted at most before work goes on. Each takes about 0.2 ms. */
const MOST_ACCEPTED = 32;

/** Connections that this process has accepted. */
let accepted = 0;

/** Lets `acceptFirst` know of this server's connections. */
export function countAccepted(server: Server): void {
  server.on("connection", () => {
    accepted += 1;
  });
}

/**
 * Resolves when no connection waits to be accepted. Node accepts one in each round of the event loop: if each
 * round made a page, a newcomer would wait for a page of everybody whose connection came before, and no turns
 * could be taken among requests that nobody has read.
 */
export function acceptFirst(): Promise<void> {
  return new Promise((resolve) => {
    const look = (before: number, left: number) => {
      if (accepted > before && left > 0) setImmediate(look, accepted, left - 1);
      else resolve();
    };
    // This round may be past the place where it accepts.
    setImmediate(look, -1, MOST_ACCEPTED);
  });
}
