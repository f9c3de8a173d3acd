import type { AppLoadContext } from "@remix-run/node";
import type { Request, Response } from "express";
import { whenLeft, whenWritable } from "~/server/request/paced-body.server";

/** Passes loaders and actions the values that earlier middleware established. */
export function loadContextOf(request: Request, response: Response): AppLoadContext {
  return {
    requestId: String(response.locals.requestId),
    clientAddress: request.ip ?? "unknown",
    cspNonce: String(response.locals.cspNonce),
    whenWritable: () => whenWritable(response),
    whenLeft: () => whenLeft(response),
  };
}
