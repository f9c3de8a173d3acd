import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Ports below the ones that systems give to outgoing connections (Linux: 32768 and up), and above 10080, the last one
 * that browsers and `fetch` refuse to call ("bad port").
 */
const LOWEST = 10_081;
const HIGHEST = 32_000;
const ATTEMPTS = 20;

/**
 * Returns a TCP port that is free now: `preferred` if possible, otherwise a random one. 0 means any.
 * Pass the host the server will listen on; undefined is every address. A port that is free only on
 * that host is rejected: `localhost` could reach either server. Throws if none of 20 ports is free.
 */
export async function freePort(preferred = 0, host?: string): Promise<number> {
  if (preferred !== 0 && (await isFree(preferred, host))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port, host)) return port;
  }
  throw new Error(`none of ${ATTEMPTS} TCP ports from ${LOWEST} to ${HIGHEST} is free`);
}

/**
 * Starts a server for this machine on `preferred` or another free port, and returns what `start`
 * returns. `start` rejects with code EADDRINUSE if another program took the port in the meantime; then
 * it is called again with another port, up to five times in all.
 */
export async function startOnFreePort<T>(
  preferred: number,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let left = 4; ; left -= 1) {
    const port = await freePort(left === 4 ? preferred : 0, "127.0.0.1");
    try {
      return await start(port);
    } catch (error) {
      if (left === 0 || (error as { code?: unknown }).code !== "EADDRINUSE") throw error;
    }
  }
}

async function isFree(port: number, host: string | undefined): Promise<boolean> {
  return (await canBind(port, host)) && (host === undefined || (await canBind(port, undefined)));
}

function canBind(port: number, host: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host }, () => probe.close(() => resolve(true)));
  });
}
