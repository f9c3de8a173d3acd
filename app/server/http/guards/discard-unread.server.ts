import type { Request, RequestHandler } from "express";

/** Bytes of a refused body that are read and discarded before its connection is cut. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SECONDS = 30;

/**
 * Reads the rest of a request body that a response left unread. Browsers read the response only
 * after they sent the whole body: otherwise they would wait on a full connection, or see it cut,
 * and never show why an upload was refused. nginx calls this a lingering close.
 */
export const discardUnread: RequestHandler = (request, response, next) => {
  // Node does this itself for requests whose body nothing reads.
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
  // Remix's adapter pauses the request on every chunk that nothing reads.
  request.removeAllListeners("data");
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_BYTES) request.destroy();
  });
  request.resume();
}
