// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { expect, test } from "vitest";
import { renderInPage } from "#tests/helpers/component";
import { SessionList } from "~/components/account/session-list";

const AT = new Date("2026-11-21T14:02:00Z");

const HERE = {
  id: "here",
  browser: "Firefox",
  system: "Linux",
  createdAt: AT,
  lastSeenAt: AT,
  current: true,
};
const PHONE = { ...HERE, id: "phone", browser: "Safari", system: "iOS", current: false };
const UNKNOWN = { ...HERE, id: "unknown", browser: null, system: null, current: false };

function show(more: Partial<ComponentProps<typeof SessionList>> = {}) {
  renderInPage(
    <SessionList sessions={[HERE, PHONE, UNKNOWN]} hasPassword result={undefined} {...more} />,
  );
}

test("this device is marked and can't be chosen; the others can, by their names", async () => {
  show();
  const [here] = screen.getAllByRole("listitem");
  expect(here).toHaveTextContent(/^Firefox on Linux.*This device$/);
  expect(within(here as HTMLElement).queryByRole("radio")).toBeNull();
  const phone = screen.getByRole("radio", { name: "Sign out: Safari on iOS" });
  await userEvent.click(phone);
  expect(phone.closest("form")).toHaveFormValues({ sessionId: "phone" });
  expect(screen.getByRole("radio", { name: "Sign out: Unknown device" })).not.toBeChecked();
});

test("without another device there is nothing to sign out", () => {
  show({ sessions: [HERE] });
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.queryByLabelText("Your password")).toBeNull();
});

test("Enter signs out the chosen device, never all of them", () => {
  show();
  const [first, second] = screen.getAllByRole("button");
  expect(first).toHaveAccessibleName("Sign out the chosen device");
  expect(first).toHaveValue("end");
  expect(second).toHaveAccessibleName("Sign out all other devices");
  expect(second).toHaveValue("endOthers");
});

test("an account without a password isn't asked for one", () => {
  show({ hasPassword: false });
  expect(screen.queryByLabelText("Your password")).toBeNull();
  expect(screen.getByRole("button", { name: "Sign out the chosen device" })).toBeVisible();
});

test("a refusal is tied to its field: the choice, or the password, which comes back empty", () => {
  show({
    result: {
      status: "error",
      initialValue: { currentPassword: "typed" },
      error: { sessionId: ["validation.required"], currentPassword: ["validation.passwordWrong"] },
    },
  });
  expect(screen.getByRole("radio", { name: /Safari/ })).toHaveAccessibleDescription(
    "Fill in this field.",
  );
  const password = screen.getByLabelText("Your password");
  expect(password).toBeInvalid();
  expect(password).toHaveAccessibleDescription(/password/);
  expect(password).toHaveValue("");
});
