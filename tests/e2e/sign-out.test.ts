import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { withBrowser } from "../helpers/browser";
import { signUp } from "../helpers/client";
import { giveCredits } from "../helpers/ledger";
import { inOneWay } from "../helpers/runs";
import { signOut } from "../helpers/signed-in";
import { withImageServer } from "../helpers/with-image-server";

const app = withImageServer();
const browser = withBrowser({ backForwardCache: true });
const PASSWORD = "correct horse battery";
const PROMPT = "my secret garden";

/**
 * Opens the generator so that the browser keeps it for the Back button, with the user's prompt in
 * it.
 */
async function openGenerator(javaScript: boolean): Promise<Page> {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS_PER_IMAGE);
  await person.json("POST", "/api/generate-image", { prompt: PROMPT });
  const page = await browser.open({ javaScript });
  await page.goto(`${app.url}/en/sign-in?redirectTo=/en/demo/image-generator`);
  await page.getByLabel("Email address").fill(person.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await shownPrompt(page).waitFor();
  // Loads a new document, since the sign-in may have only updated the previous one.
  await page.goto(`${app.url}/en/demo/image-generator`);
  await shownPrompt(page).waitFor();
  return page;
}

/** The list of earlier prompts has it, too, and is closed. */
const shownPrompt = (page: Page) => page.getByText(PROMPT).filter({ visible: true }).first();

/** Goes back. A page from the cache loads nothing, so there is no load event to wait for. */
const goBack = (page: Page) => page.goBack({ waitUntil: "commit" });

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: the Back button shows the generator as it was left, until the user signs out`, async () => {
    const page = await openGenerator(javaScript);
    await page.goto(`${app.url}/en/pricing`);
    await goBack(page);
    await shownPrompt(page).waitFor();

    const forgotten = page.waitForResponse(`${app.url}/forget-pages`);
    await signOut(page);
    await page.getByText("You’re signed out.").waitFor();
    await forgotten;
    await goBack(page);
    await page.getByText("You create an account next").waitFor();
    expect(await page.content()).not.toContain(PROMPT);
  });
}

for (const javaScript of inOneWay(true)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: after a deletion the Back button shows no page of the account`, async () => {
    const page = await openGenerator(javaScript);
    await page.goto(`${app.url}/en/account/delete`);
    await page.getByLabel("Your password").fill(PASSWORD);
    const forgotten = page.waitForResponse(`${app.url}/forget-pages`);
    await page.getByRole("button", { name: "Delete your account for good" }).click();
    await page.getByText("Your account is deleted.").waitFor();
    await forgotten;
    await goBack(page);
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    await goBack(page);
    await expect.poll(() => page.url()).not.toContain("/account");
    await page.getByText("You create an account next").waitFor();
    expect(await page.content()).not.toContain(PROMPT);
  });
}
