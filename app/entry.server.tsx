import { PassThrough } from "node:stream";
import {
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
  type HandleErrorFunction,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { RenderContext } from "~/components/render-context";
import { compiledMessages } from "~/i18n/compiled-messages.server";
import { localeFromPath } from "~/i18n/locale";
import { messagesFor } from "~/i18n/messages.server";
import { allowOf } from "~/server/http/allowed-methods.server";
import { log } from "~/utils/logger.server";

export const streamTimeout = 5_000;

/** Renders a page. Bots get it complete, people as soon as the frame is ready. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { cspNonce, requestId }: AppLoadContext,
): Promise<Response> {
  // Bots name themselves early in the header; the patterns needn't search kilobytes of an invented
  // name.
  const wantsWholePage = isbot(request.headers.get("user-agent")?.slice(0, 512));
  const locale = localeFromPath(new URL(request.url).pathname);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (status === 405) {
    const leaf = remixContext.staticHandlerContext.matches.at(-1)?.route.id ?? "";
    headers.set("Allow", allowOf(remixContext.manifest.routes[leaf]));
  }

  return new Promise((resolve, reject) => {
    let shellSent = false;
    let responseStatus = status;
    const respond = () => {
      shellSent = true;
      const body = new PassThrough();
      resolve(
        new Response(createReadableStreamFromReadable(body), { status: responseStatus, headers }),
      );
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <RenderContext.Provider
        value={{ cspNonce, requestId, pageMessages: (parts) => compiledMessages(locale, parts) }}
      >
        <IntlProvider locale={locale} messages={messagesFor(locale)} timeZone="UTC">
          <RemixServer context={remixContext} url={request.url} nonce={cspNonce} />
        </IntlProvider>
      </RenderContext.Provider>,
      {
        nonce: cspNonce,
        ...(wantsWholePage ? { onAllReady: respond } : {}),
        onShellReady: () => {
          if (!wantsWholePage) respond();
        },
        onShellError: reject,
        onError(error) {
          responseStatus = 500;
          // Before the shell is sent, onShellError rejects and logs the error there.
          if (shellSent) log().error({ err: error }, "rendering failed");
        },
      },
    );
    setTimeout(abort, streamTimeout + 1_000).unref();
  });
}

/**
 * Logs unexpected errors of loaders and actions. Aborted requests are the visitor's doing and
 * aren't logged, nor are Remix's own refusals below 500 (no route, no action).
 */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) log().error({ err: error }, "unexpected error");
};
