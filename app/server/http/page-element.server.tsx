import type { AppLoadContext, EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import type { ReactElement } from "react";
import { RenderContext } from "~/components/render-context";
import { KeptIntlProvider } from "~/i18n/kept-intl-provider.server";
import { localeFromPath } from "~/i18n/locale";
import { pageMessages } from "~/i18n/page-messages.server";
import { siteFacts } from "~/server/site/site-facts.server";

/** Returns a page's document, ready to be rendered. */
export function pageElement(
  remixContext: EntryContext,
  {
    url,
    loadContext,
    retryAfter = null,
  }: { url: URL; loadContext: AppLoadContext; retryAfter?: number | null },
): ReactElement {
  const { cspNonce, requestId } = loadContext;
  const locale = localeFromPath(url.pathname);
  return (
    <RenderContext.Provider
      value={{
        cspNonce,
        requestId,
        retryAfter,
        site: siteFacts(),
        pageMessages: (parts) => pageMessages(locale, parts),
      }}
    >
      <KeptIntlProvider locale={locale}>
        <RemixServer context={remixContext} url={url} nonce={cspNonce} />
      </KeptIntlProvider>
    </RenderContext.Provider>
  );
}
