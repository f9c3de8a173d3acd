import { randomUUID } from "node:crypto";
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { problemResponse } from "~/server/request/problem-response.server";
import type { ErrorCode } from "~/utils/error-codes";
import { log } from "~/utils/logger.server";
import { runWithRequestContext } from "~/utils/request-context.server";

interface Refusal {
  code: ErrorCode;
  detail: string;
}

const RESPONSES: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    code: "headers_too_large",
    detail: "The request's headers are too long. Send fewer or shorter ones.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "request_timeout",
    detail: "The request didn't arrive in time. Send it again.",
  },
};
const UNREADABLE: Refusal = {
  code: "invalid_request",
  detail: "The request isn't valid HTTP.",
};

/**
 * When Node rejects malformed input before there is a request, sends a problem document with these headers
 * and an id of its own, logs it and ends the connection. If the client has gone, or a response has already
 * begun, it only ends the connection.
 */
export function respondToClientErrors(server: Server, headers: [string, string][]): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (request, response) => responses.set(request.socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = responses.get(socket);
    const isMidResponse = response?.headersSent && !response.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isMidResponse) {
      socket.destroy(error);
      return;
    }
    void refuse(socket, { reason: error.code ?? "", headers });
  });
}

async function refuse(
  socket: Duplex,
  { reason, headers }: { reason: string; headers: [string, string][] },
): Promise<void> {
  const requestId = randomUUID();
  const reply = problemResponse(RESPONSES[reason] ?? UNREADABLE);
  const { status } = reply;
  const body = await reply.text();
  reply.headers.set("Connection", "close");
  reply.headers.set("Content-Length", String(Buffer.byteLength(body)));
  for (const [name, value] of headers) reply.headers.set(name, value);
  reply.headers.set("X-Request-Id", requestId);
  const head = [...reply.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`, () =>
    socket.destroy(),
  );
  runWithRequestContext({ requestId }, () => log().info({ status, reason }, "request refused"));
}
