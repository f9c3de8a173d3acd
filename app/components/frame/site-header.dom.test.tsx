// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { renderInPage, runPageScript } from "#tests/helpers/component";
import type { FrameData } from "~/components/frame/frame-data";
import { SiteHeader } from "~/components/frame/site-header";

beforeAll(runPageScript);

const ALL = {
  storage: true,
  images: true,
  text: true,
  payments: true,
  actions: ["image" as const],
};
const ADA = {
  email: "ada@example.com",
  name: "Ada",
  balance: 12_720,
  lacksVerification: false,
  freeCredits: 0,
  isAdmin: false,
};

function show(more: Partial<Pick<FrameData, "user" | "features">> = {}, path = "/en/account") {
  renderInPage(<SiteHeader locale="en" user={ADA} features={ALL} {...more} />, { path });
}

/** The button of a menu, which browsers announce with its state. */
const summaryOf = (label: string) => screen.getByLabelText(label);
const menuOf = (label: string) => summaryOf(label).closest("details") as HTMLDetailsElement;

test("the balance is a link to the credits, and its name says so", () => {
  show();
  expect(screen.getByRole("link", { name: /^12,720 .*Open your credits/ })).toHaveAttribute(
    "href",
    "/en/account/credits",
  );
});

test("the account menu opens by its button and says whose account it is", async () => {
  show();
  expect(menuOf("Account menu").open).toBe(false);
  await userEvent.click(summaryOf("Account menu"));
  const menu = within(menuOf("Account menu"));
  expect(menu.getByText("ada@example.com")).toBeVisible();
  expect(menu.getByRole("link", { name: "Account" })).toHaveAttribute("aria-current", "page");
  expect(menu.getByRole("link", { name: "Billing" })).not.toHaveAttribute("aria-current");
  expect(menu.getByRole("button", { name: "Sign out" })).toBeVisible();
});

test("the menu for narrow screens has the product's pages and the account's", async () => {
  show({}, "/en/files");
  await userEvent.click(summaryOf("Menu"));
  const names = within(menuOf("Menu"))
    .getAllByRole("link")
    .map((link) => link.textContent);
  expect(names).toEqual(["Create", "Write", "Files", "Pricing", "Account", "Billing"]);
  expect(within(menuOf("Menu")).getByRole("link", { name: "Files" })).toHaveAttribute(
    "aria-current",
    "page",
  );
});

test("Escape closes the menu and returns the focus to its button", async () => {
  show();
  const user = userEvent.setup();
  await user.click(summaryOf("Account menu"));
  within(menuOf("Account menu")).getByRole("button", { name: "Sign out" }).focus();
  await user.keyboard("{Escape}");
  expect(menuOf("Account menu").open).toBe(false);
  expect(summaryOf("Account menu")).toHaveFocus();
});

test("a click outside closes the menu, and one inside does not", async () => {
  show();
  const user = userEvent.setup();
  await user.click(summaryOf("Account menu"));
  await user.click(screen.getByText("ada@example.com", { selector: "details[open] *" }));
  expect(menuOf("Account menu").open).toBe(true);
  await user.click(document.body);
  expect(menuOf("Account menu").open).toBe(false);
});

test("an account without a name has the email's initial", () => {
  show({ user: { ...ADA, name: null } });
  expect(summaryOf("Account menu")).toHaveTextContent(/^A$/);
});

test("a visitor is offered to sign in and up, and pages that are off have no link", async () => {
  show(
    {
      user: null,
      features: { storage: false, images: true, text: false, payments: false, actions: ["image"] },
    },
    "/en",
  );
  expect(screen.getAllByRole("link", { name: "Sign in" })[0]).toHaveAttribute(
    "href",
    "/en/sign-in",
  );
  await userEvent.click(summaryOf("Menu"));
  const names = within(menuOf("Menu"))
    .getAllByRole("link")
    .map((link) => link.textContent);
  expect(names).toEqual(["Create", "Sign in", "Create account"]);
});
