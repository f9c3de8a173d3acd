import type { Request, RequestHandler } from "express";

/** What is read of a refused body, and thrown away, before its connection is cut. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SECONDS = 30;

/**
 * Reads on when an answer left some of its request's body unread. Browsers read an answer when they
 * have sent everything: without this they would wait on a full connection, or see it cut, and never
 * show why an upload was refused. nginx calls it a lingering close.
 */
export const discardUnread: RequestHandler = (request, response, next) => {
  // Node does it itself for requests whose body nothing asks for.
  if (request.method === "GET" || request.method === "HEAD") return next();
  response.once("finish", () => {
    if (!request.readableEnded) discard(request);
  });
  next();
};

function discard(request: Request): void {
  const cut = setTimeout(() => request.destroy(), MAX_SECONDS * 1000);
  cut.unref();
  request.once("close", () => clearTimeout(cut));
  let length = 0;
  // Remix's adapter pauses the request on every chunk that nothing asks it for.
  request.removeAllListeners("data");
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_BYTES) request.destroy();
  });
  request.resume();
}
