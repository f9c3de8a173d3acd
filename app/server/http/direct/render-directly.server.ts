import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import type { PageHandle } from "~/components/page-handle";
import { pageElement } from "../page-element.server";
import { routeMatcher } from "../route-tree.server";
import { type PageContext, runLoaders } from "./run-loaders.server";

type DirectPage =
  /** A page that is complete; its status is 200. */
  | { status: "rendered"; html: string; headers: Headers }
  /** Remix has to render it; `error` is what React threw. */
  | { status: "left"; reason: string; error?: unknown };

/** Renders the page of one path. */
type RenderDirectly = (request: Request, loadContext: AppLoadContext) => Promise<DirectPage>;

/**
 * Returns a function that renders the page of this path: it runs the loaders and renders React into one text. The build
 * knows the path's own routes alone. Null if the path has no page, or one that React shows in the browser or the page
 * cache serves.
 *
 * Remix's own handler makes the same page with several copies of the request, a stream of the loaders' data,
 * which a page without script doesn't need, and two kinds of streams for the HTML.
 *
 * Handles success only. If a loader throws or sets a status or header, or rendering fails, Remix takes over.
 */
export function directPage(build: ServerBuild, path: string): RenderDirectly | null {
  const matches = routeMatcher(build.routes)(path) as PageContext["matches"];
  const modules = matches.flatMap(({ route: { id } }) => build.routes[id]?.module ?? []);
  if (!modules.at(-1)?.default) return null;
  const handles = modules.map(({ handle }) => handle as PageHandle | undefined);
  if (handles.some((handle) => handle?.interactive || handle?.sameForAll)) return null;
  const headers = headersOf(modules);
  const frame = frameOf(build);
  return async (request, loadContext) => {
    const loaded = await runLoaders(build, { matches, request, context: loadContext });
    if (loaded.status === "left") return loaded;
    const url = new URL(request.url);
    const staticHandlerContext = pageContext({ url, matches, loaderData: loaded.data });
    const remixContext = { ...frame, renderMeta: {}, staticHandlerContext };
    try {
      const html = renderToStaticMarkup(pageElement(remixContext, { url, loadContext }));
      return { status: "rendered", html: `<!DOCTYPE html>${html}`, headers };
    } catch (error) {
      // Remix renders the page again and shows the route's error boundary.
      return { status: "left", reason: "React threw", error };
    }
  };
}

type ServerRouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

/** Returns the headers that each page of these routes has if it goes well. No loader adds one. */
function headersOf(modules: ServerRouteModule[]): Headers {
  const none = new Headers();
  const headers = modules.reduce((parentHeaders, { headers }) => {
    if (!headers) return parentHeaders;
    const own =
      typeof headers === "function"
        ? headers({
            parentHeaders,
            loaderHeaders: none,
            actionHeaders: none,
            errorHeaders: undefined,
          })
        : headers;
    return new Headers(own);
  }, none);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return headers;
}

/** The part of Remix's context that is the same for each request. */
function frameOf({ assets, basename, future, isSpaMode, routes }: ServerBuild) {
  const modules = Object.entries(routes).map(([id, route]) => [id, route?.module]);
  return {
    manifest: assets,
    routeModules: Object.fromEntries(modules),
    serverHandoffString: inScript({ basename, future, isSpaMode }),
    future,
    isSpaMode,
    // A page with an error is Remix's.
    serializeError: (error: Error) => error,
  };
}

function pageContext({
  url: { pathname, search },
  matches,
  loaderData,
}: {
  url: URL;
  matches: PageContext["matches"];
  loaderData: PageContext["loaderData"];
}): PageContext {
  return {
    basename: "/",
    location: { pathname, search, hash: "", state: null, key: "default" },
    matches,
    loaderData,
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
    activeDeferreds: null,
  };
}

/** Inside a script element, only "<" could end the text. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
