// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInPage } from "#tests/helpers/component";
import { Sheet } from "~/components/dev-ui/sheet";

test("the sheet shows the parts in its own theme, and the form's error belongs to its field", () => {
  const { container } = renderInPage(<Sheet theme="dark" />);
  expect(container.querySelector("[data-theme=dark]")).toBeInTheDocument();
  const sheet = within(screen.getByRole("heading", { name: "Dark" }).parentElement as HTMLElement);
  for (const look of ["primary", "secondary", "quiet", "danger"]) {
    expect(sheet.getByRole("button", { name: look })).toBeVisible();
  }
  expect(sheet.getByLabelText("With an error")).toBeInvalid();
  expect(sheet.getByLabelText("With an error")).toHaveAccessibleDescription(/Enter an email/);
});
