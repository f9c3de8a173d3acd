import type { NextFunction, Request, RequestHandler, Response } from "express";
import { admitKey } from "~/server/api-keys/admit-key.server";
import { fairTurns } from "~/server/http/guards/fair-turns.server";
import { urlOf } from "~/server/http/guards/request-target.server";
import { problemOf, sendProblem } from "~/server/request/problem-response.server";
import { currentRequest, noteRequestKey } from "~/utils/request-context.server";

/** Routes whose bearer is a secret of the server's own. They judge it themselves. */
const OWN_BEARER = /^\/(?:api\/cron\/|readyz$|metrics$)/;
const SCHEME = /^bearer(?: |$)/i;

/**
 * Admits requests that come with an API key, or refuses them. Such a request is judged by the key alone: its
 * cookies are dropped, and so is what tells which site's page sent it, since no page can make another's browser
 * send a key.
 */
export const apiKeys: RequestHandler = (request, response, next) => {
  const { authorization = "" } = request.headers;
  const path = urlOf(request.originalUrl).pathname;
  if (!SCHEME.test(authorization) || OWN_BEARER.test(path)) return next();
  const key = authorization.slice("bearer".length).trim();
  // A key is looked up in the database, and a wrong one is counted there: a flood of them takes turns, too.
  fairTurns(request, response, (error?: unknown) =>
    error ? next(error) : void admit({ key, path }, request, response, next),
  );
};

async function admit(
  { key, path }: { key: string; path: string },
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  const { address = "unknown", network = "unknown" } = currentRequest() ?? {};
  try {
    const { method } = request;
    noteRequestKey(await admitKey({ key, method, path, address, network }));
  } catch (error) {
    return sendProblem(response, problemOf(error));
  }
  for (const header of ["cookie", "origin", "sec-fetch-site"]) delete request.headers[header];
  next();
}
