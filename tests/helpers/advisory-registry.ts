import http from "node:http";
import { json } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { listenLocally } from "./local-server";

/** As the registry describes one. It tells no date. */
interface Advisory {
  id: number;
  url: string;
  title: string;
  severity: "critical" | "high" | "moderate" | "low";
  vulnerable_versions: string;
}

const known = (
  id: number,
  ghsa: string,
  severity: Advisory["severity"],
  versions: string,
): Advisory => ({
  id,
  url: `https://github.com/advisories/${ghsa}`,
  title: `a weakness with the id ${ghsa}`,
  severity,
  vulnerable_versions: versions,
});

/** Advisories that stand, by package, with the ranges that their publication has. */
export const STANDING: Record<string, Advisory[]> = {
  "@remix-run/server-runtime": [known(1, "GHSA-chx6-hx7r-mcp5", "high", ">=2.10.0")],
  "turbo-stream": [known(2, "GHSA-rxv8-25v2-qmq8", "high", "<3.0.0")],
  "react-router": [
    known(3, "GHSA-337j-9hxr-rhxg", "moderate", ">=6.4.0 <7.18.0"),
    known(4, "GHSA-wrjc-x8rr-h8h6", "moderate", ">=6.0.0 <7.18.0"),
    known(5, "GHSA-jjmj-jmhj-qwj2", "high", ">=6.0.0 <6.30.6"),
  ],
};

const INVENTED = { critical: 6, high: 7, moderate: 8, low: 9 };

/** The id of the invented advisory of this severity. */
export const idOf = (severity: Advisory["severity"]) => `GHSA-aaaa-bbbb-ccc${INVENTED[severity]}`;

/** An invented one that concerns every version of its package. */
export const invented = (severity: Advisory["severity"]) =>
  known(INVENTED[severity], idOf(severity), severity, "*");

/**
 * Starts a registry that knows these advisories until the test ends, and returns its address. As the
 * real one, it returns those of the packages it is asked about. Without advisories it refuses audits.
 */
export async function startAdvisoryRegistry(
  advisories: Record<string, Advisory[]> | null,
): Promise<string> {
  const server = http.createServer(async (request, response) => {
    const reply = (status: number, value: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    // npm has an older request to fall back to.
    if (!request.url?.endsWith("/advisories/bulk")) return reply(404, { error: "not found" });
    if (!advisories) return reply(405, { error: "method not allowed" });
    const isPacked = request.headers["content-encoding"] === "gzip";
    const asked = (await json(isPacked ? request.pipe(createGunzip()) : request)) as object;
    reply(200, Object.fromEntries(Object.entries(advisories).filter(([name]) => name in asked)));
  });
  return `http://127.0.0.1:${await listenLocally(server)}/`;
}
