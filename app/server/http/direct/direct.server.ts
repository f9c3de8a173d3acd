import type { ServerBuild } from "@remix-run/node";
import type { Request, RequestHandler } from "express";
import { log } from "~/utils/logger.server";
import { loadContextOf } from "../load-context.server";
import { countDirect, countLeft } from "./direct-counts.server";
import { directPage } from "./render-directly.server";
import { withKnownOutcomes } from "./run-loaders.server";
import { webRequest } from "./web-request.server";

/**
 * Returns a function that makes the handler of a constant path, from a build that knows this path's routes alone. It
 * renders the path's page without Remix's own handler, and leaves every other request to Remix.
 */
export function directly(
  remix: (build: ServerBuild) => RequestHandler,
): (build: ServerBuild, path: string) => RequestHandler {
  return (build, path) => {
    const render = directPage(build, path);
    if (!render) return remix(build);
    const handOver = remix(withKnownOutcomes(build));
    const noteLeft = leftNoter(path);
    return async (request, response, next) => {
      if (!isPlainGet(request)) return handOver(request, response, next);
      try {
        const page = await render(webRequest(request), loadContextOf(request, response));
        if (page.status === "left") {
          noteLeft(page);
          return handOver(request, response, next);
        }
        countDirect();
        response.setHeaders(page.headers);
        response.setHeader("Content-Length", Buffer.byteLength(page.html));
        response.end(page.html);
      } catch (error) {
        next(error);
      }
    };
  };
}

const isPlainGet = ({ method }: Request) => method === "GET";

/** Counts what is left to Remix, and logs the first time for its path: a visitor without a session is no news. */
function leftNoter(path: string) {
  let isLogged = false;
  return ({ reason, error }: { reason: string; error?: unknown }) => {
    countLeft();
    if (isLogged) return;
    isLogged = true;
    const level = error === undefined ? "info" : "error";
    log()[level](
      { page: path, reason, ...(error === undefined ? {} : { err: error }) },
      "a page is left to Remix",
    );
  };
}
