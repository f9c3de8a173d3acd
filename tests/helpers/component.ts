import "@testing-library/jest-dom/vitest";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { IntlProvider } from "use-intl";
import { afterEach } from "vitest";
import type { Locale } from "~/i18n/locale";
import { messagesFor } from "~/i18n/messages.server";
import type { FormResult } from "~/utils/form-result";

// Vitest's globals are off, so Testing Library can't do this by itself.
afterEach(cleanup);

interface PageOptions {
  locale?: Locale;
  path?: string;
  /** The pattern of the page's address; "*" is that of a page that doesn't exist. */
  route?: string;
  /** The result of the page's action. */
  response?: FormResult;
}

/** Shows components as a page of this address and language would, in a file with `@vitest-environment jsdom`. */
export function renderInPage(
  content: ReactNode,
  { locale = "en", path = `/${locale}`, route = routeOf(path), response: reply }: PageOptions = {},
) {
  // biome-ignore lint/correctness/noComponentHookFactories: made once per test, and never rendered anew.
  const Page = createRemixStub([{ id: "page", path: route, Component: () => content }]);
  const messages = messagesFor(locale);
  const hydrationData = reply ? { actionData: { page: reply } } : {};
  const children = createElement(Page, { initialEntries: [path], hydrationData });
  return render(createElement(IntlProvider, { locale, messages, timeZone: "UTC", children }));
}

/** Returns the pattern that gives a page its language. */
const routeOf = (path: string): string =>
  new URL(path, "http://localhost").pathname.replace(/^\/[^/]+/, "/:locale");

/** Runs the script of signed-in pages, `public/page.js`, in this file's document. */
export async function runPageScript(): Promise<void> {
  document.documentElement.lang = "en";
  await import("../../public/page.js");
}
