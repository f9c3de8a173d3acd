// @vitest-environment jsdom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInPage } from "#tests/helpers/component";
import { ThemeForm } from "~/components/frame/theme-form";

test("the theme in use is the pressed button, and the form leads back to the page", () => {
  renderInPage(<ThemeForm locale="en" theme="dark" />, {
    path: "/en/pricing?period=year",
    route: "/en/pricing",
  });
  expect(screen.getByRole("button", { pressed: true })).toHaveAccessibleName("Dark");
  expect(screen.getAllByRole("button", { pressed: false })).toHaveLength(2);
  expect(screen.getByRole("form", { name: "Theme" })).toHaveFormValues({
    returnTo: "/en/pricing?period=year",
  });
});
