import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";

export interface Answered {
  status: "answered";
  code: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Exchange =
  | Answered
  /** Nothing of the request left this machine: no connection, no name, no TLS. */
  | { status: "unsent"; reason: string }
  /** The request may have arrived, and no whole answer came back. */
  | { status: "lost"; reason: string };

interface ExchangeOptions {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** When to give up, on the clock of `performance.now()`. */
  deadline: number;
}

/** Four images of 1536 by 1024 in base64 are some 20 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Connecting, TLS included, may take this long, and no more than a quarter of the time there is. */
const CONNECT_MS = 10_000;

/**
 * One HTTP call to a provider. Never throws: the outcome tells whether the request can have been
 * acted on. That is known from the socket and not from error codes: each call has a connection of
 * its own, and nothing is written to it before `connect`, or `secureConnect` where there is TLS.
 */
export function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { method } = options;
  const timeLeft = Math.max(0, options.deadline - performance.now());
  const url = new URL(options.url);
  const secure = url.protocol === "https:";
  const payload = options.body === undefined ? undefined : JSON.stringify(options.body);
  const headers = {
    Accept: "application/json",
    ...(payload === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(payload) }),
    ...options.headers,
  };

  return new Promise((resolve) => {
    let sent = false;
    // A pooled connection may be one that the other side is closing: then a reset would tell nothing.
    const request = (secure ? https : http).request(url, { method, headers, agent: false });
    const connectTimer = setTimeout(
      () => end("connect time-out"),
      Math.min(CONNECT_MS, timeLeft / 4),
    );
    const timer = setTimeout(() => end("time-out"), timeLeft);

    function settle(outcome: Exchange): void {
      clearTimeout(connectTimer);
      clearTimeout(timer);
      resolve(outcome);
    }
    function end(reason: string): void {
      settle({ status: sent ? "lost" : "unsent", reason });
      request.destroy();
    }

    request.once("socket", (socket) => {
      socket.once(secure ? "secureConnect" : "connect", () => {
        sent = true;
        clearTimeout(connectTimer);
      });
    });
    // Stays on after `destroy`, so that a late error has a listener.
    request.on("error", (error) => end(codeOf(error)));
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) return end("answer too large");
        chunks.push(chunk);
      });
      response.on("error", (error) => end(codeOf(error)));
      response.once("end", () =>
        settle({
          status: "answered",
          code: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.end(payload);
  });
}

/** Node's code for a failure; its message may carry an address. */
function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
