import type { Request, RequestHandler, Response } from "express";

/** Passes a rejected promise to the error handler, because Express 4 doesn't. */
export function asyncRoute(
  handle: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return (request, response, next) => {
    handle(request, response).catch(next);
  };
}
