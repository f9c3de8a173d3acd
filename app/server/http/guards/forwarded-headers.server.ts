import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { sendProblem } from "~/server/request/problem-response.server";
import { log } from "~/utils/logger.server";

const FORWARDED = /^(x-forwarded-|forwarded$|x-real-ip$)/;
const HOST_HEADERS = /^x-forwarded-(host|port)$/;
const SCHEMES = new Set(["http", "https"]);
/** A DNS name has at most 253 characters; a port adds six. */
const MAX_HOST_LENGTH = 260;

/**
 * Removes the forwarded headers that this deployment doesn't trust, before anything reads them: all
 * of them under `TRUST_PROXY=0`, since the client made them up, and `X-Forwarded-Host` unless
 * `TRUST_PROXY_HOST` is set, since many proxies pass on the client's own.
 *
 * An invalid or repeated `Host` is a 400: every later step builds the request's URL from it.
 */
export function forwardedHeaders(options: {
  trustProxy: number;
  trustProxyHost: boolean;
}): RequestHandler {
  const warnOnce = proxyWarning();
  return (request, response, next) => {
    const { headers } = request;
    if (options.trustProxy === 0) {
      if (headers["x-forwarded-for"]) warnOnce();
      dropHeaders(headers, FORWARDED);
    } else if (!options.trustProxyHost) {
      dropHeaders(headers, HOST_HEADERS);
    }
    if (!SCHEMES.has(firstOf(headers["x-forwarded-proto"]))) delete headers["x-forwarded-proto"];
    const host = requestHost(headers);
    // Remix takes the port from either header, and from any place in a forwarded list.
    if (headers["x-forwarded-host"]) headers["x-forwarded-host"] = host;
    if (countOf(request, "host") > 1 || !isHost(host) || !isHost(headers.host ?? "")) {
      return sendProblem(response, {
        code: "invalid_host",
        detail: "The Host header is missing, repeated or invalid. Send one.",
      });
    }
    next();
  };
}

/** The host and port the client asked for; a trusted forwarded host takes precedence. */
export function requestHost(headers: NodeJS.Dict<string | string[]>): string {
  return firstOf(headers["x-forwarded-host"]) || String(headers.host ?? "");
}

/** The first element of a list that proxies append to. */
function firstOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header)?.split(",")[0]?.trim() ?? "";
}

/** Whether the text is exactly a host, with or without a port, as a URL spells it. */
function isHost(text: string): boolean {
  if (text.length > MAX_HOST_LENGTH) return false;
  const host = text.toLowerCase();
  const url = `http://${host}`;
  // A URL drops its scheme's default port.
  return URL.canParse(url) && new URL(url).host === host.replace(/:80$/, "");
}

/** Counts the lines sent with this name. For a repeated `Host`, Node shows only the first. */
function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

function dropHeaders(headers: NodeJS.Dict<string | string[]>, names: RegExp): void {
  for (const name of Object.keys(headers)) if (names.test(name)) delete headers[name];
}

/** Warns once per process, since a client can send the header as often as it likes. */
function proxyWarning(): () => void {
  let warned = false;
  return () => {
    if (warned) return;
    warned = true;
    log().warn(
      "a request came with X-Forwarded-For while TRUST_PROXY is 0: if a proxy stands in front, all visitors share its address and its rate limits; set TRUST_PROXY to the number of proxies",
    );
  };
}
