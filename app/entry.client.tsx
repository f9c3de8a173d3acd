import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { IntlProvider } from "use-intl";
import { localeFromPath } from "~/i18n/locale";
import type en from "~/i18n/locales/en.json";

const locales = import.meta.glob<typeof en>("./i18n/locales/*.json", { import: "default" });

async function hydrate() {
  const locale = localeFromPath(window.location.pathname);
  const messages = await locales[`./i18n/locales/${locale}.json`]?.();
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
