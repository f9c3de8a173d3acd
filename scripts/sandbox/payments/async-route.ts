import type { Request, RequestHandler, Response } from "express";

/** Express 4 does not see a rejected promise; this hands it to the error handler. */
export function asyncRoute(
  handle: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return (request, response, next) => {
    handle(request, response).catch(next);
  };
}
