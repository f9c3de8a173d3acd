import type { Page } from "playwright-core";
import { expect, test } from "vitest";
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

/** Once conform runs, it replaces the browser's own validation. */
const hydratedForm = (page: Page) => page.locator("main form[novalidate]");

test("the first pages of a fresh npm run dev hydrate, stay, and let the demo user in", async () => {
  const dev = await runDev();
  const page = await browser.open({ javaScript: true });
  const { documents, refused } = watch(page);

  await page.goto(`${dev.url}/en/sign-in`);
  await hydratedForm(page).waitFor();
  await page.getByLabel("Email address").fill(DEMO.email);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expectSignedIn(page);
  await page.getByRole("link", { name: "Images", exact: true }).first().click();
  await hydratedForm(page).waitFor();
  expect(documents).toEqual(["/en/sign-in"]);

  await page.goto(`${dev.url}/en/files`);
  await page.locator("input[type=file][multiple]").waitFor();
  await page.goto(`${dev.url}/zh/demo/image-generator`);
  await hydratedForm(page).waitFor();
  expect(documents).toEqual(["/en/sign-in", "/en/files", "/zh/demo/image-generator"]);
  expect(refused).toEqual([]);
  // An open page would log an error once its server is gone.
  await page.close();
  dev.signal("SIGINT");
  expect(await dev.exited).toBe(0);
}, 120_000);
