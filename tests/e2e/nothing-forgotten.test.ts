import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import { credits, MIDDLE_PACK, nameOf, shown, TOP_PLAN } from "../fixtures/sold";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { PASSWORD } from "../helpers/client";
import { inOneWay } from "../helpers/runs";
import { withPaymentServer } from "../helpers/with-payment-server";

const stops: (() => Promise<void>)[] = [];
const app = withPaymentServer("stripe", async () => {
  const images = await startImageSandbox({ port: 0 });
  stops.push(images.stop);
  return images.env;
});
const browser = withBrowser();
let people = 0;

// Deliveries aren't held back here: the provider delivers while the buyer is on the way back.
beforeAll(() =>
  app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` }),
);
afterAll(async () => {
  for (const stop of stops) await stop();
});

const CREATE = "/en/demo/image-generator";
const PROMPT = "A lighthouse at dusk, seen from the sea";
const PRICE = shown(TOP_PLAN.amounts.year, { short: true });
const MIDDLE = credits(MIDDLE_PACK.credits);

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, level: 1 }).waitFor();
const promptField = (page: Page) => page.getByLabel("What do you want to see?");
const pressGenerate = (page: Page) => page.getByRole("button", { name: /^Generate/ }).click();

async function signUpHere(page: Page): Promise<string> {
  const email = `on-the-way-${people++}@example.com`;
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  return email;
}

async function expectFilledForm(page: Page): Promise<void> {
  await promptField(page).waitFor();
  expect(await promptField(page).inputValue()).toBe(PROMPT);
  expect(await page.getByRole("radio", { name: "2 images" }).isChecked()).toBe(true);
  expect(await page.getByRole("radio", { name: "Landscape" }).isChecked()).toBe(true);
}

async function fillForm(page: Page): Promise<void> {
  await promptField(page).fill(PROMPT);
  await page.getByRole("radio", { name: "2 images" }).check();
  await page.getByRole("radio", { name: "Landscape" }).check();
}

for (const javaScript of inOneWay(false)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a stranger who buys a plan creates an account and gets to the checkout of that plan and period`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/pricing`);
    await page.getByRole("radio", { name: "Yearly" }).check();
    await page.getByRole("button", { name: `Choose the ${nameOf(TOP_PLAN)}, yearly` }).click();
    const item = `the ${nameOf(TOP_PLAN)}, ${PRICE} a year`;
    await heading(page, `Create an account to buy ${item}`);
    await expectNarrow(page);
    await page.getByRole("main").getByRole("link", { name: "Sign in", exact: true }).click();
    await heading(page, `Sign in to buy ${item}`);
    await page.getByRole("link", { name: "Create an account" }).click();
    await signUpHere(page);
    await page.getByRole("button", { name: "Subscribe", exact: true }).waitFor();
    await page.getByText(shown(TOP_PLAN.amounts.year)).first().waitFor();
  });

  test(`${mode}: somebody whose browser signed in before buys a pack by signing in`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/sign-up`);
    const email = await signUpHere(page);
    await heading(page, /credits?/);
    await page.context().clearCookies({ name: /session/ });
    await page.goto(`${app.url}/en/pricing`);
    await page.getByRole("button", { name: `Buy ${MIDDLE}` }).click();
    await heading(page, /^Sign in to buy/);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await heading(page, `+${MIDDLE} are yours`);
  });

  test(`${mode}: a stranger's prompt is there after the sign-up, after the payment, and gone once it was used`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(app.url + CREATE);
    await expectNarrow(page);
    await fillForm(page);
    await pressGenerate(page);
    await page.getByText("We’ve kept your prompt.").waitFor();
    expect(page.url()).not.toContain("lighthouse");
    await signUpHere(page);
    await expectFilledForm(page);

    await pressGenerate(page);
    await page.getByText("You weren’t charged, and your prompt is still here.").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Buy credits" }).click();
    await page.getByRole("button", { name: `Buy ${MIDDLE}` }).click();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await heading(page, `+${MIDDLE} are yours`);
    await page.getByRole("link", { name: "Generate your image" }).click();
    await expectFilledForm(page);
    await pressGenerate(page);
    await page.getByRole("heading", { name: "Your 2 images are ready" }).waitFor();
    await page.goto(app.url + CREATE);
    await promptField(page).waitFor();
    expect(await promptField(page).inputValue()).toBe("");
  });

  test(`${mode}: a prompt that was only typed is kept by Buy credits, and an empty one hinders nobody`, async () => {
    const page = await browser.open({ javaScript });
    await enter(page, app.url);
    const buy = page.getByRole("region", { name: /^You need/ }).getByRole("button", {
      name: "Buy credits",
    });
    await page.goto(app.url + CREATE);
    await buy.click();
    await page.waitForURL(/\/en\/pricing#packs$/);
    await page.goto(app.url + CREATE);
    await fillForm(page);
    await buy.click();
    await page.waitForURL(/\/en\/pricing#packs$/);
    await page.getByRole("button", { name: `Buy ${MIDDLE}` }).click();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await heading(page, `+${MIDDLE} are yours`);
    await page.getByRole("link", { name: "Generate your image" }).click();
    await expectFilledForm(page);
  });

  test(`${mode}: a prompt sent after the session ended is there after the next sign-in`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/sign-up`);
    const email = await signUpHere(page);
    await heading(page, /credits?/);
    await page.goto(app.url + CREATE);
    await fillForm(page);
    await app.sql("DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = $1)", [
      email,
    ]);
    await pressGenerate(page);
    await heading(page, "Welcome back");
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expectFilledForm(page);
  });

  test(`${mode}: after signing out, nobody finds the prompt`, async () => {
    const page = await browser.open({ javaScript });
    const { email } = await enter(page, app.url);
    await page.goto(app.url + CREATE);
    await fillForm(page);
    await pressGenerate(page);
    await page.getByText("You weren’t charged, and your prompt is still here.").waitFor();
    await page.getByLabel("Account menu").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You’re signed out").waitFor();
    await page.goto(app.url + CREATE);
    expect(await promptField(page).inputValue()).toBe("");
    expect(
      await app.sql(
        `SELECT 1 FROM auth_challenges WHERE data::text LIKE '%lighthouse%'
           AND user_id = (SELECT id FROM users WHERE email = $1)`,
        [email],
      ),
    ).toEqual([]);
  });
}
