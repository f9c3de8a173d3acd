// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { translatorOf } from "#tests/fixtures/languages";
import { renderInPage } from "#tests/helpers/component";
import { AccountPage } from "~/components/account/account-page";
import { LOCALES, type Locale } from "~/i18n/locale";

function show(path: string, locale: Locale = "en") {
  renderInPage(
    <AccountPage title="Cancel your plan?" back={{ path: "/account/billing", text: "Billing" }}>
      <p>Content</p>
    </AccountPage>,
    { path, locale },
  );
}

test("the tab of the area is marked, also on a page below it", () => {
  show("/en/account/billing/cancel");
  const tabs = within(screen.getByRole("navigation", { name: "Account pages" }));
  const marked = tabs.getAllByRole("link").filter((link) => link.hasAttribute("aria-current"));
  expect(marked.map((link) => link.textContent)).toEqual(["Billing"]);
});

test.each(LOCALES)(
  "the way back says that it is one, and isn't a second tab by name: %s",
  (locale) => {
    const name = translatorOf(locale)("account.backTo", { page: "Billing" });
    show(`/${locale}/account/billing/cancel`, locale);
    expect(screen.getByRole("link", { name })).toHaveAttribute(
      "href",
      `/${locale}/account/billing`,
    );
  },
);
