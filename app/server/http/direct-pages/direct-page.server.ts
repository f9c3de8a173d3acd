import type { Request as ExpressRequest, RequestHandler } from "express";
import { requestHost } from "../forwarded-headers.server";
import type { Render } from "../kept-pages/render-clean.server";
import { loadContextOf } from "../load-context.server";
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

function webRequest({ protocol, headers, originalUrl }: ExpressRequest): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const text of [value ?? []].flat()) sent.append(name, text);
  return new Request(`${protocol}://${requestHost(headers)}${originalUrl}`, { headers: sent });
}
