import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { OTHER_LOCALE } from "../fixtures/languages";
import { withBrowser } from "../helpers/browser";
import { DEMO, withDevClone } from "../helpers/dev-clone";
import { expectSignedIn } from "../helpers/signed-in";

const { runDev } = withDevClone();
const browser = withBrowser();

/** Records what a page loads: whole documents, and requests that were refused. */
function watch(page: Page) {
  const documents: string[] = [];
  const refused: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  page.on("response", (response) => {
    // An outdated prepared dependency is a 504, followed by a full reload.
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  return { documents, refused };
}

/** Waits until React has the generator's form: it then keeps its own properties on the element. */
const untilHydrated = (page: Page) =>
  page.waitForFunction(() => {
    const form = document.querySelector("main form");
    return form && Object.keys(form).some((key) => key.startsWith("__reactProps"));
  });

test("a fresh npm run dev lets the demo user in, and its first pages hydrate and stay", async () => {
  const dev = await runDev();
  const page = await browser.open({ javaScript: true });
  const { documents, refused } = watch(page);

  await page.goto(`${dev.url}/en/sign-in`);
  await page.getByLabel("Email address").fill(DEMO.email);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expectSignedIn(page);
  documents.length = 0;

  await page.goto(`${dev.url}/en/demo/image-generator`);
  await untilHydrated(page);
  await page.goto(`${dev.url}/en/files`);
  await page.locator("input[type=file][multiple]").waitFor();
  await page.goto(`${dev.url}/${OTHER_LOCALE}/demo/image-generator`);
  await untilHydrated(page);
  expect(documents).toEqual([
    "/en/demo/image-generator",
    "/en/files",
    `/${OTHER_LOCALE}/demo/image-generator`,
  ]);
  expect(refused).toEqual([]);
  // An open page would log an error once its server is gone.
  await page.close();
  dev.signal("SIGINT");
  expect(await dev.exited).toBe(0);
}, 120_000);
