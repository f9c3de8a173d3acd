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
 * Parts that a URL parser resolves, and a proxy or Express may read as they stand: one would see another path
 * than the other.
 */
const RESOLVED = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Refuses targets that aren't a path on this site (`OPTIONS *`, `GET http://…`), that hold `.` or `..` as a
 * segment or a backslash, or are too long. Also refuses Remix's `_data` parameter, which picks a route by
 * name: no page of ours uses it.
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
  if (isPath(path) && !urlOf(originalUrl).searchParams.has("_data")) return next();
  sendProblem(response, {
    code: "invalid_target",
    detail:
      "The request target isn't a path on this site. Send a path, without `.` and `..` between slashes, backslashes and `_data`.",
  });
};

const isPath = (path: string) => path.startsWith("/") && !RESOLVED.test(path);

/** Parses the target as Remix will: `.` and `..` are resolved, which Express leaves in its `path`. */
export function urlOf(target: string): URL {
  return new URL(`http://site.invalid${target}`);
}
