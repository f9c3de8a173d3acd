import type { RequestHandler } from "express";

/**
 * Sets `Cache-Control: no-store` on every response without a `Cache-Control` of its own: pages and
 * data depend on the visitor. Set as the head is written, because Remix's adapter adds to headers
 * that are set earlier.
 */
export const notStoredByDefault: RequestHandler = (_request, response, next) => {
  const writeHead = response.writeHead;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", "no-store");
    return writeHead.apply(response, args);
  }) as typeof writeHead;
  next();
};
