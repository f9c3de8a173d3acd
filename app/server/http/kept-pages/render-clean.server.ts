import { randomBytes } from "node:crypto";
import type { AppLoadContext } from "@remix-run/node";
import { cookieName } from "~/utils/cookie-name";
import { runWithRequestContext } from "~/utils/request-context.server";
import { THEME_COOKIE, type Theme } from "~/utils/theme";
import type { KeptPath } from "./kept-paths";
import { ownScripts } from "./page-scripts";

/** Remix's handler of a request, or a test's. */
export type Render = (request: Request, context: AppLoadContext) => Promise<Response>;

/** A response that may be kept, or the reason why it must not. */
export type CleanRendering =
  | { status: "clean"; response: Response; body: Buffer; scripts: string[] }
  /** Every rendering in this process gives this result. */
  | { status: "unkept"; reason: string }
  | { status: "failed" };

/**
 * Renders a page for nobody: the request has no header but the theme's cookie, and nothing of the visitor's
 * request is within reach. Refuses a response that sets a cookie, has another status than expected, holds this
 * rendering's nonce or request id, or has a script that only a nonce could allow.
 */
export async function renderClean(
  { path, status }: KeptPath,
  { render, theme, siteUrl }: { render: Render; theme: Theme; siteUrl: URL },
): Promise<CleanRendering> {
  const mark = randomBytes(16).toString("hex");
  const cookie = `${cookieName(THEME_COOKIE, siteUrl)}=${theme}`;
  const headers = new Headers(theme === "system" ? {} : { Cookie: cookie });
  const request = new Request(new URL(path, siteUrl), { headers });
  const context: AppLoadContext = {
    requestId: mark,
    clientAddress: "unknown",
    cspNonce: mark,
    whenWritable: () => Promise.resolve(),
  };
  // A context of its own: the visitor's could hold their session.
  const response = await runWithRequestContext({ requestId: mark }, () => render(request, context));
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status >= 500) return { status: "failed" };
  const unkept = (reason: string) => ({ status: "unkept", reason }) as const;
  if (response.status !== status) return unkept(`the status is ${response.status}`);
  if (response.headers.has("Set-Cookie")) return unkept("it sets a cookie");
  const isHtml = response.headers.get("Content-Type")?.startsWith("text/html");
  const text = body.toString();
  const scripts = isHtml ? ownScripts(text) : [];
  if (text.includes(mark)) return unkept("it holds a nonce or a request id");
  if (scripts === null) return unkept("it has a script that is no file of this site");
  return { status: "clean", response, body, scripts };
}
