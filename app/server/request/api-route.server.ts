import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { problemOf, problemResponse } from "~/server/request/problem-response.server";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Args = LoaderFunctionArgs | ActionFunctionArgs;
/** A response, or the data of a 200 in JSON. */
type Result = Response | object;
type Handler = (args: Args) => Promise<Result> | Result;
type Route = (args: Args) => Promise<Response>;

/** No cache may keep a response: it depends on the user, and its URLs expire. */
const NOT_STORED = { "Cache-Control": "no-store" };

/**
 * Returns the loader and action of a resource route. Each method goes to its handler; any other
 * method is a 405 with `Allow`. An error thrown by a handler becomes an `application/problem+json`
 * response.
 */
export function apiRoute(handlers: Partial<Record<Method, Handler>>): {
  loader: Route;
  action: Route;
} {
  const allowed = Object.keys(handlers).flatMap((method) =>
    method === "GET" ? ["GET", "HEAD"] : [method],
  );
  const route: Route = async (args) => {
    const method = args.request.method === "HEAD" ? "GET" : args.request.method;
    const handler = handlers[method as Method];
    if (!handler) return methodNotAllowed(allowed);
    try {
      const result = await handler(args);
      return result instanceof Response ? notStored(result) : jsonResponse(result);
    } catch (error) {
      if (error instanceof Response) return error;
      return problemResponse(problemOf(error));
    }
  };
  return { loader: route, action: route };
}

/** With its length, so that a short text is not compressed, which would take more time than it saves. */
function jsonResponse(data: object): Response {
  const body = Buffer.from(JSON.stringify(data));
  const headers = { "Content-Type": "application/json", "Content-Length": String(body.length) };
  return new Response(body, { headers: { ...headers, ...NOT_STORED } });
}

function notStored(response: Response): Response {
  if (!response.headers.has("Cache-Control"))
    response.headers.set("Cache-Control", NOT_STORED["Cache-Control"]);
  return response;
}

function methodNotAllowed(allowed: string[]): Response {
  return problemResponse({
    code: "method_not_allowed",
    detail: `This address takes ${allowed.join(", ")} only.`,
    headers: { Allow: allowed.join(", ") },
  });
}
