// @vitest-environment jsdom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { renderInPage, runPageScript } from "#tests/helpers/component";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";

beforeAll(runPageScript);

afterEach(() => {
  vi.useRealTimers();
});

async function show() {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  renderInPage(
    <CopyButton text="https://example.com/fox.png" copied="Copied" label="Copy link of the fox">
      <Icon name="link" size={16} />
      Copy link
    </CopyButton>,
  );
  const button = await screen.findByRole("button", { name: "Copy link of the fox" });
  return { user, button };
}

test("without the script there is no button that does nothing", () => {
  const html = renderToStaticMarkup(
    <CopyButton text="x" copied="Copied">
      Copy
    </CopyButton>,
  );
  expect(html).toMatch(/^<button [^>]*hidden=""/);
});

test("the text is copied, and screen readers hear so while the button shows it", async () => {
  const { user, button } = await show();
  expect(screen.getByText("Copy link")).toBeVisible();
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
  await user.click(button);
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("Copied"));
  expect(await navigator.clipboard.readText()).toBe("https://example.com/fox.png");
  expect(screen.getByText("Copy link")).not.toBeVisible();
});

test("after a while the button offers to copy again", async () => {
  const { user, button } = await show();
  await user.click(button);
  await waitFor(() => expect(screen.getByText("Copy link")).not.toBeVisible());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(screen.getByText("Copy link")).toBeVisible();
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
  expect(button).toHaveFocus();
});

test("a browser that forbids copying leaves the button as it is", async () => {
  const { user, button } = await show();
  const refusal = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
  await user.click(button);
  await waitFor(() => expect(refusal).toHaveBeenCalled());
  expect(screen.getByText("Copy link")).toBeVisible();
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});
