import type { ServerBuild } from "@remix-run/node";
import type { Request, RequestHandler, Response } from "express";
import { isAmong } from "~/server/etag.server";
import { chooseEncoding } from "~/server/http/encodings";
import { log } from "~/utils/logger.server";
import { type Theme, themeFromCookies } from "~/utils/theme";
import { changesPage } from "./cookie-effects";
import { inlineStyles } from "./inline-styles.server";
import { type KeptResponse, keepResponse } from "./keep-response.server";
import { KEPT_PATHS, type KeptPath } from "./kept-paths";
import { type Render, renderClean } from "./render-clean.server";
import { unknownPaths } from "./unknown-paths";

interface KeptPagesOptions {
  render: Render;
  siteUrl: URL;
  routes: ServerBuild["routes"];
  /** Returns the `Content-Security-Policy` of a page that has these scripts and styles and no others. */
  policyFor: (sources: { scripts: string[]; styles: string[] }) => string;
  /** Returns the text of the style sheet at this path. */
  readStyleSheet: (path: string) => Promise<string>;
}

/**
 * Serves pages that are the same for every signed-out visitor, and constant responses, from memory. Each is rendered at
 * its first request and kept until the process ends: all they show is fixed when it starts. There are as
 * many as listed paths and themes, whatever addresses are asked for.
 *
 * `pages` goes in front of static files. `notFound` goes behind them, since it takes every address that is no
 * route. Both leave all other requests to Remix.
 */
export function keptPages(options: KeptPagesOptions): {
  pages: RequestHandler;
  notFound: RequestHandler;
} {
  const kept = new Map<string, Promise<KeptResponse | null>>();
  const findUnknown = unknownPaths(options.routes);

  function find(entry: KeptPath, theme: Theme): Promise<KeptResponse | null> {
    const key = `${theme} ${entry.path}`;
    const found = kept.get(key);
    if (found) return found;
    const forget = () => kept.delete(key);
    const rendering = renderAndKeep(entry, theme, options, forget);
    kept.set(key, rendering);
    rendering.catch(forget);
    return rendering;
  }

  const serve =
    (entryOf: (url: string) => KeptPath | null): RequestHandler =>
    (request, response, next) => {
      if (request.method !== "GET" && request.method !== "HEAD") return next();
      const entry = entryOf(request.url);
      const { cookie } = request.headers;
      if (!entry || (entry.page !== null && changesPage(cookie, entry.page))) return next();
      const theme = entry.page === null ? "system" : themeFromCookies(cookie, options.siteUrl);
      find(entry, theme).then((page) => (page ? send(page, request, response) : next()), next);
    };

  return { pages: serve(listedPath), notFound: serve((url) => findUnknown(url)) };
}

/** Returns the listed path of a target. A query excludes a page, and changes no constant. */
function listedPath(url: string): KeptPath | null {
  const query = url.indexOf("?");
  const entry = KEPT_PATHS.get(query < 0 ? url : url.slice(0, query)) ?? null;
  return query >= 0 && entry?.page !== null ? null : entry;
}

/** Returns null for a page that must not be kept; calls `forget` if another rendering may succeed. */
async function renderAndKeep(
  entry: KeptPath,
  theme: Theme,
  { render, siteUrl, policyFor, readStyleSheet }: KeptPagesOptions,
  forget: () => void,
): Promise<KeptResponse | null> {
  const rendered = await renderClean(entry, { render, theme, siteUrl });
  switch (rendered.status) {
    case "clean": {
      const { response } = rendered;
      const scripts = rendered.scripts.map((path) => siteUrl.origin + path);
      const inlined =
        entry.page === null ? null : await inlineStyles(rendered.body.toString(), readStyleSheet);
      const body = inlined ? Buffer.from(inlined.html) : rendered.body;
      const styles = inlined ? [inlined.styleSource] : [];
      return keepResponse(entry, { response, body, policy: policyFor({ scripts, styles }) });
    }
    case "unkept":
      log().info({ page: entry.path, reason: rendered.reason }, "a page is not kept in memory");
      return null;
    case "failed":
      forget();
      return null;
  }
}

function send(page: KeptResponse, request: Request, response: Response): void {
  const variant = page[chooseEncoding(request)];
  const { revalidated } = variant;
  if (revalidated && isAmong(revalidated.etag ?? "", request.headers["if-none-match"])) {
    response.writeHead(304, revalidated).end();
  } else {
    response.writeHead(variant.status, variant.headers).end(variant.body);
  }
}
