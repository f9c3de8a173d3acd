import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import { isAllowed } from "~/services/outgoing/allowed-origins.server";
import { PURPOSES } from "~/services/outgoing/purposes.server";
import { inSpan } from "~/utils/tracing.server";

export interface Responded {
  status: "responded";
  code: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Exchange =
  | Responded
  /** Nothing of the request left this machine: the address isn't allowed, or DNS, connection or TLS failed. */
  | { status: "unsent"; reason: string }
  /** The request may have arrived, but no complete response came back. */
  | { status: "lost"; reason: string };

interface ExchangeOptions {
  purpose: "fal" | "replicate" | "openai" | "text";
  url: string;
  method: "GET" | "POST" | "PUT";
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** When to give up, on the clock of `performance.now()`. */
  deadline: number;
}

/** Limit for connecting, including TLS; at most a quarter of the remaining time. */
const CONNECT_MS = 10_000;

/**
 * One HTTP call to a provider. Never throws: the outcome tells whether the provider may have acted on
 * the request. The socket tells this, not error codes: each call has its own connection, and nothing is
 * written to it before `connect`, or `secureConnect` with TLS.
 */
export function exchange(options: ExchangeOptions): Promise<Exchange> {
  return inSpan({ name: `call ${options.purpose}`, kind: "client" }, async (note) => {
    const outcome = await call(options);
    if (outcome.status === "responded") note({ "http.response.status_code": outcome.code });
    return outcome;
  });
}

function call(options: ExchangeOptions): Promise<Exchange> {
  const { purpose, method } = options;
  const timeLeft = Math.max(0, options.deadline - performance.now());
  const url = new URL(options.url);
  if (!isAllowed(purpose, url))
    return Promise.resolve({ status: "unsent", reason: "address not allowed" });
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
    // The other side may be closing a pooled connection; a reset would then tell nothing.
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
    // Not removed on `destroy`, so that a late error still has a listener.
    request.on("error", (error) => end(codeOf(error)));
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > PURPOSES[purpose].bytes) return end("response too large");
        chunks.push(chunk);
      });
      response.on("error", (error) => end(codeOf(error)));
      response.once("end", () =>
        settle({
          status: "responded",
          code: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.end(payload);
  });
}

/** Node's code for a failure; its message may contain an address. */
function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
