import type { RequestHandler } from "express";
import { sendProblem } from "~/server/problem-response.server";

const FORWARDED = /^(x-forwarded-|forwarded$|x-real-ip$)/;

/**
 * Without a proxy to trust (`TRUST_PROXY=0`) forwarded headers are whatever the client made up:
 * they are dropped here, before anything reads them. A `Host` that is no host, or more than one, is
 * a 400, since every later step builds the request's URL from it.
 */
export function forwardedHeaders(options: { trustProxy: number }): RequestHandler {
  return (request, response, next) => {
    if (options.trustProxy === 0) {
      for (const name of Object.keys(request.headers)) {
        if (FORWARDED.test(name)) delete request.headers[name];
      }
    }
    const { headers } = request;
    const host = requestHost(headers);
    // Remix takes the port from either header, and from any place in a forwarded list.
    if (headers["x-forwarded-host"]) headers["x-forwarded-host"] = host;
    if (!isHost(host) || !isHost(headers.host ?? "")) {
      return sendProblem(response, {
        status: 400,
        code: "invalid_host",
        detail: "The Host header names no host.",
      });
    }
    next();
  };
}

/** A host with or without a port, as a URL would spell it, and nothing besides. */
function isHost(text: string): boolean {
  const host = text.toLowerCase();
  const url = `http://${host}`;
  // A URL drops its scheme's own port.
  return URL.canParse(url) && new URL(url).host === host.replace(/:80$/, "");
}

/** Host and port the client asked for; the forwarded one wins where it was let through. */
export function requestHost(headers: NodeJS.Dict<string | string[]>): string {
  const forwarded = headers["x-forwarded-host"];
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(",")[0]?.trim();
  return first || String(headers.host ?? "");
}
