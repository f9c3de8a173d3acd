import type { RequestHandler } from "express";
import { sendProblem } from "~/server/problem-response.server";

/**
 * In characters, as sent. Our longest path has about 100. Remix's route matching takes time that
 * grows with the square of a path's slashes.
 */
const MAX_PATH_LENGTH = 1_024;
/** The same for the query. The longest is a payment provider's return address, below 1,000. */
const MAX_QUERY_LENGTH = 8_192;

/**
 * Refuses targets that aren't a path on this site (`OPTIONS *`, `GET http://…`) or are too long.
 * Also refuses Remix's `_data` parameter, which picks a route by name: no page of ours uses it.
 */
export const pathTargetsOnly: RequestHandler = (request, response, next) => {
  const { originalUrl } = request;
  const path = originalUrl.split("?", 1)[0] ?? "";
  const queryLength = originalUrl.length - path.length;
  if (path.length > MAX_PATH_LENGTH || queryLength > MAX_QUERY_LENGTH) {
    return sendProblem(response, {
      code: "target_too_long",
      detail: `The address is too long. Send at most ${MAX_PATH_LENGTH} characters of path and ${MAX_QUERY_LENGTH} of query.`,
    });
  }
  if (originalUrl.startsWith("/") && !urlOf(originalUrl).searchParams.has("_data")) return next();
  sendProblem(response, {
    code: "invalid_target",
    detail: "The request target isn't a path on this site. Send a path, without `_data`.",
  });
};

/**
 * Parses the target as Remix will: `.` and `..` are resolved, which Express leaves in its `path`.
 */
export function urlOf(target: string): URL {
  return new URL(`http://site.invalid${target}`);
}
