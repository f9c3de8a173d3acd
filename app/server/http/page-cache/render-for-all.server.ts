import { randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/node";
import { cookieName } from "~/utils/cookie-name";
import { runWithRequestContext } from "~/utils/request-context.server";
import { THEME_COOKIE, type Theme } from "~/utils/theme";
import type { CachedPath } from "./cached-paths.server";
import { ownScripts } from "./page-scripts";

/** Remix's handler of a request, or a test's. */
export type Render = (request: Request, context: AppLoadContext) => Promise<Response>;

/** A response that may be cached, or the reason why it must not. */
export type CommonRendering =
  | { status: "cacheable"; response: Response; body: Buffer; scripts: string[] }
  /** Every rendering in this process gives this result. */
  | { status: "uncacheable"; reason: string }
  | { status: "failed" };

/**
 * Renders a page as an anonymous visitor, with no header but the theme cookie: loaders can't reach the request of the
 * visitor who asks for the page first. Refuses a response that sets a cookie, has another status than expected, holds this
 * rendering's nonce or request id, or has a script that only a nonce could allow.
 */
export async function renderForAll(
  { path, status }: CachedPath,
  { render, theme, siteUrl }: { render: Render; theme: Theme; siteUrl: URL },
): Promise<CommonRendering> {
  const mark = randomBytes(16).toString("hex");
  const cookie = `${cookieName(THEME_COOKIE, siteUrl)}=${theme}`;
  const headers = new Headers(theme === "system" ? {} : { Cookie: cookie });
  const request = new Request(new URL(path, siteUrl), { headers });
  const context: AppLoadContext = {
    requestId: mark,
    clientAddress: "unknown",
    cspNonce: mark,
    whenWritable: () => Promise.resolve(),
    whenLeft: () => new AbortController().signal,
  };
  // A context of its own: the visitor's could hold their session.
  const response = await runWithRequestContext({ requestId: mark }, () => render(request, context));
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status >= 500) return { status: "failed" };
  const uncacheable = (reason: string) => ({ status: "uncacheable", reason }) as const;
  if (response.status !== status) return uncacheable(`the status is ${response.status}`);
  if (response.headers.has("Set-Cookie")) return uncacheable("it sets a cookie");
  const isHtml = response.headers.get("Content-Type")?.startsWith("text/html");
  const text = body.toString();
  const scripts = isHtml ? ownScripts(text) : [];
  if (text.includes(mark)) return uncacheable("it holds a nonce or a request id");
  if (scripts === null) return uncacheable("it has a script that is no file of this site");
  return { status: "cacheable", response, body, scripts };
}
