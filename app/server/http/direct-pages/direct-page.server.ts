import type { RequestHandler } from "express";
import { loadContextOf } from "../load-context.server";
import type { Render } from "../page-cache/render-for-all.server";
import { webRequest } from "../web-request.server";
import type { RenderDirectly } from "./render-directly.server";

/** Sends a page as one text; every other request, and what `render` leaves, goes to `remix`. */
export function directPage(render: RenderDirectly, remix: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== "GET") return remix(request, response, next);
    try {
      const page = await render(webRequest(request), loadContextOf(request, response));
      if (!page) return remix(request, response, next);
      response.setHeaders(page.headers);
      response.setHeader("Content-Length", Buffer.byteLength(page.html));
      response.end(page.html);
    } catch (error) {
      next(error);
    }
  };
}

/** Returns a renderer for callers outside Express, which leaves to `remix` what has no direct page. */
export function directly(pages: ReadonlyMap<string, RenderDirectly>, remix: Render): Render {
  return async (request, loadContext) => {
    const page = await pages.get(new URL(request.url).pathname)?.(request, loadContext);
    if (!page) return remix(request, loadContext);
    return new Response(page.html, { headers: page.headers });
  };
}
