import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE, PRODUCT_NAME } from "~/catalog";
import { enter, withBrowser } from "../helpers/browser";
import { withImageServer } from "../helpers/with-image-server";

const app = withImageServer();
const browser = withBrowser();
const GENERATOR = "/en/demo/image-generator";

async function openSignedIn(): Promise<Page> {
  const page = await browser.open({ javaScript: true });
  await enter(page, app.url);
  return page;
}

const sent = (page: Page) => page.waitForRequest((request) => request.method() === "POST");
const promptField = (page: Page) => page.getByLabel("What do you want to see?");
const refusal = (page: Page) =>
  page.getByRole("heading", { name: `You need ${CREDITS_PER_IMAGE} more credits` });

test("a click before hydration is the browser's own", async () => {
  const page = await openSignedIn();
  let release = () => {};
  const clicked = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/entry\.client/, async (route) => {
    await clicked;
    // Its page may already be closed.
    await route.continue().catch(() => undefined);
  });
  await page.goto(app.url + GENERATOR, { waitUntil: "commit" });
  await promptField(page).fill("A cat");
  const request = sent(page);
  await page.getByRole("button", { name: "Generate" }).click({ noWaitAfter: true });
  expect((await request).isNavigationRequest()).toBe(true);
  release();
  await refusal(page).waitFor();
});

test("a click during hydration waits for it and is handled by the page", async () => {
  const page = await openSignedIn();
  // The first moment at which React receives a click: its root exists, but nothing is rendered yet.
  await page.addInitScript(() => {
    const { addEventListener } = EventTarget.prototype;
    const submit = () => {
      const prompt = document.querySelector("textarea");
      if (prompt) prompt.value = "A cat";
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
  await page.goto(app.url + GENERATOR);
  expect((await request).isNavigationRequest()).toBe(false);
  await refusal(page).waitFor();
  expect(await promptField(page).inputValue()).toBe("A cat");
});

test("a link of a page that React shows loads a document, and none of the other page's modules", async () => {
  const page = await openSignedIn();
  await page.goto(app.url + GENERATOR, { waitUntil: "networkidle" });
  const [documents, scripts]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.isNavigationRequest()) documents.push(pathname);
    if (pathname.startsWith("/assets/") && pathname.endsWith(".js")) scripts.push(pathname);
  });
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await expect.poll(() => page.title()).toBe(`Your account · ${PRODUCT_NAME}`);
  expect(documents).toEqual(["/en/account"]);
  expect(scripts).toEqual([]);
});

test("a session that ended meanwhile leads to the page to get in as a document of its own", async () => {
  const page = await openSignedIn();
  await page.goto(app.url + GENERATOR, { waitUntil: "networkidle" });
  await page.context().clearCookies();
  await promptField(page).fill("A cat");
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
  expect(await page.locator("script[src*='/assets/']").count()).toBe(0);
  const ofFramework = () =>
    Object.keys(window).filter((name) => /^__(?:remix|reactRouter)/.test(name));
  expect(await page.evaluate(ofFramework)).toEqual([]);
});
