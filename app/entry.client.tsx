import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { IntlProvider } from "use-intl";
import { localeFromPath } from "~/i18n/locale";
import type en from "~/i18n/locales/en.json";

const locales = import.meta.glob<typeof en>("./i18n/locales/*.json", { import: "default" });

/**
 * Under single fetch RemixBrowser suspends (throws a promise, before its first hook) until the
 * loaders' data is decoded, and a document has no place for a Suspense boundary around it. Should
 * somebody click meanwhile, React 18 has to finish the suspended root at once, cannot, and throws
 * "Root did not complete" (#345, remix-run/remix#10214). So RemixBrowser is asked before React has a
 * root: until then a click is the browser's own, and the form posts natively; afterwards nothing
 * suspends, and React finishes hydrating before it handles the click.
 */
async function untilLoaderDataIsDecoded(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (thrown) {
    // Anything else is thrown again while hydrating, where an error boundary shows it.
    if (thrown instanceof Promise) await thrown;
  }
}

async function hydrate() {
  const locale = localeFromPath(window.location.pathname);
  const [messages] = await Promise.all([
    locales[`./i18n/locales/${locale}.json`]?.(),
    untilLoaderDataIsDecoded(),
  ]);
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
