import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { withBrowser } from "../helpers/browser";
import { withTestServer } from "../helpers/with-test-server";

const app = withTestServer();
const browser = withBrowser();

async function fillInWrongly(page: Page): Promise<void> {
  await page.getByLabel("Email address").fill("nobody@example.com");
  await page.getByLabel("Password").fill("wrong password");
}

const sent = (page: Page) => page.waitForRequest((request) => request.method() === "POST");
const refusal = (page: Page) => page.getByText("The e-mail address or the password is wrong.");

test("a click before hydration is the browser's own", async () => {
  const page = await browser.open({ javaScript: true });
  let release = () => {};
  const clicked = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/entry\.client/, async (route) => {
    await clicked;
    // Its page may already be closed.
    await route.continue().catch(() => undefined);
  });
  await page.goto(`${app.url}/en/sign-in`, { waitUntil: "commit" });
  await fillInWrongly(page);
  const request = sent(page);
  await page.getByRole("button", { name: "Sign in" }).click({ noWaitAfter: true });
  expect((await request).isNavigationRequest()).toBe(true);
  release();
  await refusal(page).waitFor();
});

test("a click during hydration waits for it and is handled by the page", async () => {
  const page = await browser.open({ javaScript: true });
  // The first moment at which React receives a click: its root exists, but nothing is rendered yet.
  await page.addInitScript(() => {
    const { addEventListener } = EventTarget.prototype;
    const submit = () => {
      for (const [type, value] of [
        ["email", "nobody@example.com"],
        ["password", "wrong password"],
      ]) {
        const field = document.querySelector<HTMLInputElement>(`[type=${type}]`);
        if (field) field.value = value ?? "";
      }
      document.querySelector<HTMLButtonElement>("main [type=submit]")?.click();
    };
    EventTarget.prototype.addEventListener = function (...args: [string, never, never]) {
      if (this === document && args[0] === "click") {
        EventTarget.prototype.addEventListener = addEventListener;
        queueMicrotask(submit);
      }
      return addEventListener.apply(this, args);
    };
  });
  const request = sent(page);
  await page.goto(`${app.url}/en/sign-in`);
  expect((await request).isNavigationRequest()).toBe(false);
  await refusal(page).waitFor();
  expect(await page.getByLabel("Email address").inputValue()).toBe("nobody@example.com");
});

test("a link that is followed without loading a document changes the title", async () => {
  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/sign-in`);
  expect(await page.title()).toBe("Sign in · Remix Credits Starter");
  const documents: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });
  await page.getByRole("main").getByRole("link", { name: "Create account" }).click();
  await expect.poll(() => page.title()).toBe("Create an account · Remix Credits Starter");
  expect(documents).toEqual([]);
});
