import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { problemFromError, problemResponse } from "~/server/problem-response.server";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Handler = (args: LoaderFunctionArgs | ActionFunctionArgs) => Promise<Response> | Response;

const apiHandlers = new WeakSet<object>();

/**
 * Returns the loader and action of a resource route. Each method goes to its handler; any other
 * method is a 405 with `Allow`. An error thrown by a handler becomes an `application/problem+json`
 * response.
 */
export function apiRoute(handlers: Partial<Record<Method, Handler>>): {
  loader: Handler;
  action: Handler;
} {
  const allowed = Object.keys(handlers).flatMap((method) =>
    method === "GET" ? ["GET", "HEAD"] : [method],
  );
  const dispatch: Handler = async (args) => {
    const method = args.request.method === "HEAD" ? "GET" : args.request.method;
    const handler = handlers[method as Method];
    if (!handler) return methodNotAllowed(allowed);
    try {
      return notStored(await handler(args));
    } catch (error) {
      if (error instanceof Response) return error;
      return problemFromError(error);
    }
  };
  apiHandlers.add(dispatch);
  return { loader: dispatch, action: dispatch };
}

/** Whether this loader or action is one that `apiRoute` made: it takes every method and answers each request with a response. */
export function isApiHandler(handler: unknown): handler is Handler {
  return typeof handler === "function" && apiHandlers.has(handler);
}

/** Responses depend on the user and carry URLs that expire, so no cache may keep them. */
function notStored(response: Response): Response {
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}

function methodNotAllowed(allowed: string[]): Response {
  return problemResponse({
    code: "method_not_allowed",
    detail: `This address takes ${allowed.join(", ")} only.`,
    headers: { Allow: allowed.join(", ") },
  });
}
