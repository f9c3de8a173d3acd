import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { encode } from "turbo-stream";
import type { PageHandle } from "~/components/page-handle";
import { pageElement } from "~/server/http/page-element.server";
import { listConstantRoutes } from "../constant-routes.server";
import { routeMatcher } from "../route-tree.server";
import { type FrameData, keptFooters } from "./kept-footers.server";
import { type PageContext, runLoaders } from "./run-loaders.server";

/** The route whose loader gives the frame its data. */
const FRAME = "routes/$locale";

/** A page that is complete; its status is 200. */
interface DirectPage {
  html: string;
  headers: Headers;
}

/** Renders a page of one path; null leaves it to Remix. */
export type RenderDirectly = (
  request: Request,
  loadContext: AppLoadContext,
) => Promise<DirectPage | null>;

/** Returns the pages of all paths without a parameter, by path. */
export function directPages(build: ServerBuild): Map<string, RenderDirectly> {
  const pages = new Map<string, RenderDirectly>();
  for (const { paths, build: own } of listConstantRoutes(build))
    for (const path of paths) {
      const render = renderDirectly(own, path);
      if (render) pages.set(path, render);
    }
  return pages;
}

/**
 * Returns a function that renders the page of this path: it runs the loaders and renders React into one text. The build
 * knows the path's own routes alone. Null if the path has no page.
 *
 * Remix's own handler makes the same page with several copies of the request, a stream of the loaders' data,
 * which a page without script doesn't need, and two kinds of streams for the HTML.
 *
 * Only for requests that go well: what a loader throws, a status, a header, and a page that cannot be rendered are
 * left to Remix.
 */
function renderDirectly(build: ServerBuild, path: string): RenderDirectly | null {
  const matches = matchesOf(build, path);
  const modules = matches.flatMap(({ route: { id } }) => build.routes[id]?.module ?? []);
  if (!modules.at(-1)?.default) return null;
  const isInteractive = modules.some(
    ({ handle }) => (handle as PageHandle | undefined)?.interactive,
  );
  const headers = headersOf(modules);
  const frame = frameOf(build);
  const render = isInteractive ? renderToString : renderToStaticMarkup;
  const footers = keptFooters();
  return async (request, loadContext) => {
    const loaderData = await runLoaders(build, { matches, request, context: loadContext });
    if (!loaderData) return null;
    const url = new URL(request.url);
    const staticHandlerContext = pageContext({ url, matches, loaderData });
    const remixContext = { ...frame, renderMeta: {}, staticHandlerContext };
    // The footer's links keep the page's query.
    const shown = url.search === "" ? (loaderData[FRAME] as FrameData | undefined) : undefined;
    const keptFooter = shown && footers.find(shown);
    try {
      const html = render(pageElement(remixContext, { url, loadContext, keptFooter }));
      if (shown && keptFooter === undefined) footers.keep(shown, html);
      const data = isInteractive ? await dataScripts(loaderData, loadContext.cspNonce) : "";
      return { html: `<!DOCTYPE html>${html}${data}`, headers };
    } catch {
      // Remix renders the page again, logs the error and shows the route's error boundary.
      return null;
    }
  };
}

type ServerRouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

function matchesOf({ routes }: ServerBuild, path: string): PageContext["matches"] {
  return routeMatcher(routes)(path) as PageContext["matches"];
}

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

/** Returns the scripts that hand the loaders' data to React in the browser, as Remix writes them. */
async function dataScripts(loaderData: object, nonce: string): Promise<string> {
  const reader = encode({ loaderData, actionData: null, errors: null }).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += decoder.decode(next.value, { stream: true });
  const data = inScript(text);
  const script = (code: string) =>
    `<script nonce="${nonce}">window.__remixContext.streamController.${code};</script>`;
  return script(`enqueue(${data})`) + script("close()");
}

/** Inside a script element, only "<" could end the text. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
