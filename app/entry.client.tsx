import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { IntlProvider } from "use-intl";
import { readPageMessages } from "~/components/page-messages";
import { localeFromPath } from "~/i18n/locale";

/**
 * Waits until the loaders' data is decoded, before React has a root. Under single fetch,
 * RemixBrowser suspends (throws a promise before its first hook) until then, and a whole document
 * can't have a Suspense boundary around it. If a visitor clicked meanwhile, React 18 would have to
 * finish the suspended root at once, fail and throw "Root did not complete" (#345,
 * remix-run/remix#10214). While we wait, the browser handles a click itself and a form posts
 * natively. Afterwards nothing suspends, and React finishes hydrating before it handles a click.
 */
async function untilLoaderDataIsDecoded(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (thrown) {
    // Other errors are thrown again while hydrating, where an error boundary shows them.
    if (thrown instanceof Promise) await thrown;
  }
}

async function hydrate() {
  const locale = localeFromPath(window.location.pathname);
  const messages = readPageMessages();
  await untilLoaderDataIsDecoded();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <IntlProvider locale={locale} messages={messages} timeZone="UTC">
          <RemixBrowser />
        </IntlProvider>
      </StrictMode>,
    );
  });
}

void hydrate();
