import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { problemOf, problemResponse } from "~/server/problem-response.server";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Args = LoaderFunctionArgs | ActionFunctionArgs;
/** A response, or the data of a 200 in JSON. */
type Answer = Response | object;
type Handler = (args: Args) => Promise<Answer> | Answer;
type Route = (args: Args) => Promise<Response>;

const answersOf = new WeakMap<object, Handler>();

/** No cache may keep an answer: it depends on the user, and its URLs expire. */
export const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-store" };

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
  const answer: Handler = async (args) => {
    const method = args.request.method === "HEAD" ? "GET" : args.request.method;
    const handler = handlers[method as Method];
    if (!handler) return methodNotAllowed(allowed);
    try {
      const answer = await handler(args);
      return answer instanceof Response ? notStored(answer) : answer;
    } catch (error) {
      if (error instanceof Response) return error;
      return problemResponse(problemOf(error));
    }
  };
  const route: Route = async (args) => {
    const given = await answer(args);
    return given instanceof Response ? given : Response.json(given, { headers: JSON_HEADERS });
  };
  answersOf.set(route, answer);
  return { loader: route, action: route };
}

/** Returns what answers the requests of a loader, each method's and faulty ones too, if `apiRoute` made it. */
export function apiHandlerOf(loader: unknown): Handler | undefined {
  return typeof loader === "function" ? answersOf.get(loader) : undefined;
}

function notStored(response: Response): Response {
  if (!response.headers.has("Cache-Control"))
    response.headers.set("Cache-Control", JSON_HEADERS["Cache-Control"]);
  return response;
}

function methodNotAllowed(allowed: string[]): Response {
  return problemResponse({
    code: "method_not_allowed",
    detail: `This address takes ${allowed.join(", ")} only.`,
    headers: { Allow: allowed.join(", ") },
  });
}
