import type { ServerBuild } from "@remix-run/node";
import type { Request, RequestHandler, Response } from "express";
import { chooseEncoding } from "~/server/http/encodings";
import { isAmong } from "~/server/request/etag.server";
import { log } from "~/utils/logger.server";
import { type Theme, themeFromCookies } from "~/utils/theme";
import { type CachedPath, cachedPaths } from "./cached-paths.server";
import { type CachedResponse, cachedResponse } from "./cached-response.server";
import { changesPage } from "./cookie-effects";
import { type Render, renderForAll } from "./render-for-all.server";
import { unknownPaths } from "./unknown-paths";

interface PageCacheOptions {
  render: Render;
  siteUrl: URL;
  routes: ServerBuild["routes"];
  /** Returns the `Content-Security-Policy` of a page that has these scripts and no others. */
  policyFor: (scripts: string[]) => string;
}

/**
 * Serves the routes whose `handle` says `sameForAll` from memory to every visitor without a session. Each is rendered at
 * its first request and cached as long as the app lives, which is until the process ends, and in development until the
 * code is edited. There are as many as such paths and themes, whatever addresses are asked for.
 *
 * `pages` goes in front of static files. `notFound` goes behind them, since it takes every address that is no
 * route. Both leave all other requests to Remix.
 */
export function pageCache(options: PageCacheOptions): {
  pages: RequestHandler;
  notFound: RequestHandler;
} {
  const cache = new Map<string, Promise<CachedResponse | null>>();
  const listed = cachedPaths(options.routes);
  const findUnknown = unknownPaths(options.routes);

  function find(entry: CachedPath, theme: Theme): Promise<CachedResponse | null> {
    const key = `${theme} ${entry.path}`;
    const found = cache.get(key);
    if (found) return found;
    const forget = () => cache.delete(key);
    const rendering = renderAndCache(entry, theme, options, forget);
    cache.set(key, rendering);
    rendering.catch(forget);
    return rendering;
  }

  const serve =
    (entryOf: (url: string) => CachedPath | null): RequestHandler =>
    (request, response, next) => {
      if (request.method !== "GET" && request.method !== "HEAD") return next();
      const entry = entryOf(request.url);
      const { cookie } = request.headers;
      if (!entry || (entry.page !== null && changesPage(cookie, entry.page))) return next();
      const theme = entry.page === null ? "system" : themeFromCookies(cookie, options.siteUrl);
      find(entry, theme).then((page) => (page ? send(page, request, response) : next()), next);
    };

  return {
    pages: serve((url) => listedPath(listed, url)),
    notFound: serve((url) => findUnknown(url)),
  };
}

/** Returns the listed path of a target. A query excludes a page, and changes no file or JSON. */
function listedPath(listed: ReadonlyMap<string, CachedPath>, url: string): CachedPath | null {
  const query = url.indexOf("?");
  const entry = listed.get(query < 0 ? url : url.slice(0, query)) ?? null;
  return query >= 0 && entry?.page !== null ? null : entry;
}

/** Returns null for a page that must not be cached; calls `forget` if another rendering may succeed. */
async function renderAndCache(
  entry: CachedPath,
  theme: Theme,
  { render, siteUrl, policyFor }: PageCacheOptions,
  forget: () => void,
): Promise<CachedResponse | null> {
  const rendered = await renderForAll(entry, { render, theme, siteUrl });
  switch (rendered.status) {
    case "cacheable": {
      const { response, body } = rendered;
      const policy = policyFor(rendered.scripts.map((path) => siteUrl.origin + path));
      return cachedResponse(entry, { response, body, policy });
    }
    case "uncacheable":
      log().info(
        { page: entry.path, reason: rendered.reason },
        "a page that says sameForAll is not cached",
      );
      return null;
    case "failed":
      forget();
      return null;
  }
}

function send(page: CachedResponse, request: Request, response: Response): void {
  const variant = page[chooseEncoding(request)];
  const { revalidated } = variant;
  if (revalidated && isAmong(revalidated.etag ?? "", request.headers["if-none-match"])) {
    response.writeHead(304, revalidated).end();
  } else {
    response.writeHead(variant.status, variant.headers).end(variant.body);
  }
}
