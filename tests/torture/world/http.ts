import http from "node:http";
import type { Socket } from "node:net";

/** Connections are kept: opening one would cost more than most requests. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });

export interface Call {
  port: number;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Milliseconds until the caller gives up. */
  timeout?: number;
  /** The caller leaves once so many bytes of the response have come. */
  leaveAfter?: number;
}

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** Whether the response came to its end. */
  isWhole: boolean;
}

/**
 * Sends one request. Rejects if no whole head of a response came. A kept connection may be closed by the server at the
 * moment it is used again, which every client of HTTP has to try once more.
 */
export function send(call: Call): Promise<Reply> {
  return sendOnce(call).catch((error: unknown) => {
    if (error instanceof ClosedMeanwhile) return sendOnce(call);
    throw error;
  });
}

class ClosedMeanwhile extends Error {}

/** Idle connections are kept for five seconds by the stand-ins, for 65 by ours. One that is closed sooner was closed on a request. */
const KEPT_MS = 4_500;
const idleSince = new WeakMap<Socket, number>();

function sendOnce(call: Call): Promise<Reply> {
  const { port, method = "GET", path, headers, body, timeout = 60_000, leaveAfter } = call;
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: "127.0.0.1", port, method, path, agent, headers: headersOf(headers, body) },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const end = (isWhole: boolean) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8"),
            isWhole,
          });
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (leaveAfter === undefined || size < leaveAfter) return;
          response.destroy();
          end(false);
        });
        response.on("end", () => {
          if (request.socket) idleSince.set(request.socket, performance.now());
          end(true);
        });
        response.on("error", () => end(false));
        response.on("close", () => end(response.complete));
      },
    );
    const timer = setTimeout(() => request.destroy(new Error("no response in time")), timeout);
    request.on("close", () => clearTimeout(timer));
    request.on("error", (error) => {
      const idle = request.socket ? (idleSince.get(request.socket) ?? 0) : 0;
      const isReset = "code" in error && error.code === "ECONNRESET";
      const isClosed = request.reusedSocket && isReset && began - idle > KEPT_MS;
      reject(isClosed ? new ClosedMeanwhile(error.message) : error);
    });
    request.end(body);
  });
}

function headersOf(headers: Call["headers"], body: Call["body"]) {
  if (body === undefined) return headers ?? {};
  return { "Content-Length": String(Buffer.byteLength(body)), ...headers };
}

export function closeConnections(): void {
  agent.destroy();
}
