import { writeReadableStreamToWritable } from "@remix-run/node";
import type { Response as ExpressResponse, RequestHandler } from "express";
import { apiHandlerOf, JSON_HEADERS } from "~/server/request/api-route.server";
import { loadContextOf } from "./load-context.server";
import { webRequest } from "./web-request.server";

/**
 * Serves an API route of a constant path without Remix's handler, which copies the request twice and
 * matches the path three times, and data without a web response. Null if `apiRoute` didn't make the loader.
 */
export function directRoute({ loader }: { loader?: unknown }): RequestHandler | null {
  const handler = apiHandlerOf(loader);
  if (!handler) return null;
  return async (request, response, next) => {
    try {
      const context = loadContextOf(request, response);
      const answer = await handler({ request: webRequest(request), params: {}, context });
      if (answer instanceof Response) await send(answer, response);
      else response.set(JSON_HEADERS).end(JSON.stringify(answer));
    } catch (error) {
      next(error);
    }
  };
}

/** Express leaves the body out if the request is a HEAD. */
async function send({ status, headers, body }: Response, response: ExpressResponse): Promise<void> {
  response.status(status);
  for (const [name, value] of headers) response.append(name, value);
  if (body) await writeReadableStreamToWritable(body, response);
  else response.end();
}
