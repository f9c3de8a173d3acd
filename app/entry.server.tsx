import { Writable } from "node:stream";
import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse } from "@remix-run/react";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { allowOf } from "~/server/http/guards/allowed-methods.server";
import { pageElement } from "~/server/http/page-element.server";
import { log } from "~/utils/logger.server";

export const streamTimeout = 5_000;

/**
 * Renders a page and sends it in one piece: no page waits for data while it is rendered, and passing it
 * on piece by piece through two kinds of streams takes longer than rendering it.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const { html, failed } = await renderWhole(
    pageElement(remixContext, {
      url: new URL(request.url),
      loadContext,
      retryAfter: Number(headers.get("Retry-After")) || null,
    }),
    loadContext.cspNonce,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Length", String(html.length));
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (status === 405) {
    const leaf = remixContext.staticHandlerContext.matches.at(-1)?.route.id ?? "";
    headers.set("Allow", allowOf(remixContext.manifest.routes[leaf]));
  }
  return new Response(html, { status: failed ? 500 : status, headers });
}

/** Rejects if the frame of the page fails. `failed` is true if a part inside it did. */
function renderWhole(
  page: ReactNode,
  nonce: string,
): Promise<{ html: Uint8Array<ArrayBuffer>; failed: boolean }> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let failed = false;
    let hasFrame = false;
    const whole = new Writable({
      write(piece: Uint8Array, _encoding, done) {
        pieces.push(piece);
        done();
      },
      final(done) {
        resolve({ html: join(pieces), failed });
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onShellReady() {
        hasFrame = true;
      },
      onShellError(error) {
        clearTimeout(timer);
        reject(error);
      },
      onAllReady() {
        clearTimeout(timer);
        pipe(whole);
      },
      onError(error) {
        failed = true;
        // Without a frame, onShellError rejects and the error is logged there.
        if (hasFrame) log().error({ err: error }, "rendering failed");
      },
    });
    const timer = setTimeout(abort, streamTimeout + 1_000);
  });
}

function join(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/**
 * Logs unexpected errors of loaders and actions. Aborted requests are the visitor's doing and
 * aren't logged, nor are responses that were thrown and Remix's own refusals (no route, no action).
 */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (isRouteErrorResponse(error)) return;
  if (!request.signal.aborted) log().error({ err: error }, "unexpected error");
};
