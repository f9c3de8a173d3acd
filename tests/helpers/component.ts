import "@testing-library/jest-dom/vitest";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { IntlProvider } from "use-intl";
import { afterEach } from "vitest";
import en from "~/i18n/locales/en.json";
import es from "~/i18n/locales/es.json";
import zh from "~/i18n/locales/zh.json";

const MESSAGES = { en, es, zh };

// Vitest's globals are off, so Testing Library can't do this by itself.
afterEach(cleanup);

interface PageOptions {
  locale?: keyof typeof MESSAGES;
  path?: string;
  /** The pattern of the page's address; "*" is that of a page that doesn't exist. */
  route?: string;
}

/** Shows components as a page of this address and language would, in a file with `@vitest-environment jsdom`. */
export function renderInPage(
  content: ReactNode,
  { locale = "en", path = `/${locale}`, route = "*" }: PageOptions = {},
) {
  const Page = createRemixStub([{ path: route, Component: () => content }]);
  const messages = MESSAGES[locale];
  const children = createElement(Page, { initialEntries: [path] });
  return render(createElement(IntlProvider, { locale, messages, timeZone: "UTC", children }));
}
