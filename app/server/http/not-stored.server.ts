import type { RequestHandler } from "express";

/**
 * `Cache-Control: no-store` on every answer that says nothing itself: pages and data depend on who
 * asks. Decided as the head is written, since Remix's adapter adds to what is set before it.
 */
export const notStoredByDefault: RequestHandler = (_request, response, next) => {
  const writeHead = response.writeHead;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", "no-store");
    return writeHead.apply(response, args);
  }) as typeof writeHead;
  next();
};
