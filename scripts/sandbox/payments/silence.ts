import { type RequestHandler, Router } from "express";
import { z } from "zod";

/** Whether the provider's API leaves every request unanswered, as in an outage. */
interface Silence {
  isSilent: boolean;
}

const order = z.strictObject({ silent: z.boolean() });

export function createSilenceRoute(silence: Silence): Router {
  return Router().put("/api", ({ body }, response) => {
    silence.isSilent = order.parse(body).silent;
    response.json({ silent: silence.isSilent });
  });
}

/** The caller's time limit ends such a request. */
export function leaveUnanswered(silence: Silence): RequestHandler {
  return (_request, _response, next) => {
    if (!silence.isSilent) next();
  };
}
