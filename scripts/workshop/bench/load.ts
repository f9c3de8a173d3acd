import autocannon from "autocannon";
import { type Figure, inTurns } from "./bench";

const ROUNDS = 3;

/** Requests that are open at the same time. */
const CONNECTIONS = 16;
/**
 * Requests after which a connection is opened anew. Our server takes 1,000 on one, and autocannon goes on
 * after the `Connection: close` that says so.
 */
const REQUESTS_PER_CONNECTION = 900;

interface Load {
  url: string;
  seconds: number;
  headers?: Record<string, string>;
  /** Makes the next POST; without it the load is GETs. */
  nextPost?: () => { body: string; headers: Record<string, string> };
}

/**
 * Sends requests for some seconds, 16 at a time. Returns how many were served per second. Throws if any
 * failed: what is refused is fast and measures nothing.
 */
export async function requestsPerSecond({
  url,
  seconds,
  headers = {},
  nextPost,
}: Load): Promise<number> {
  const result = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    reconnectRate: REQUESTS_PER_CONNECTION,
    duration: seconds,
    ...(nextPost
      ? {
          requests: [
            {
              method: "POST",
              setupRequest: (request) => {
                const post = nextPost();
                const type = { "Content-Type": "application/json" };
                return { ...request, body: post.body, headers: { ...type, ...post.headers } };
              },
            },
          ],
        }
      : {}),
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${url}: ${failed} requests failed`);
  return result["2xx"] / result.duration;
}

type Page = Pick<Load, "url" | "headers">;

/** Compares the rates of GETs at two servers, three rounds of some seconds each in turns. */
export function compareRates(
  measured: Page,
  reference: Page,
  seconds: number,
): Promise<Pick<Figure, "measured" | "reference" | "ratio">> {
  const rate = (page: Page) => () => requestsPerSecond({ ...page, seconds });
  return inTurns({ rounds: ROUNDS, measure: rate(measured), reference: rate(reference) });
}
