import type { RequestHandler } from "express";
import { sendProblem } from "~/server/problem-response.server";

/**
 * Refuses targets that are no path on this site (`OPTIONS *`, `GET http://…`), and Remix's `_data`
 * parameter: it picks a route by name, which no page of ours asks for.
 */
export const pathTargetsOnly: RequestHandler = (request, response, next) => {
  const { originalUrl } = request;
  if (originalUrl.startsWith("/") && !urlOf(originalUrl).searchParams.has("_data")) return next();
  sendProblem(response, {
    status: 400,
    code: "invalid_target",
    detail: "The request's target is no address of this site. Send a path, without `_data`.",
  });
};

/** The target as Remix will read it: `.` and `..` resolved, which Express leaves in its `path`. */
export function urlOf(target: string): URL {
  return new URL(`http://site.invalid${target}`);
}
