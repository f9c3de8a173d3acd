import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { withBrowser } from "../../helpers/browser";
import { PASSWORD } from "../../helpers/client";
import { makeLinkToken } from "../../helpers/make-link";
import { expectSignedIn, signOut } from "../../helpers/signed-in";
import { withTurnstile } from "../../helpers/turnstile-control";
import { withMailServer } from "../../helpers/with-mail-server";

const turnstile = withTurnstile();
const app = withMailServer(async () => ({ ...(await turnstile.start()), RATE_LIMIT_SCALE: "1" }));
const browser = withBrowser();
let count = 0;

// All tests sign up from one address, at the real limits: a repeated test must not run into them.
beforeEach(() => app.sql("DELETE FROM rate_limits"));

const newEmail = () => `browser-challenge-${count++}@example.com`;

async function fill(page: Page, email: string, button: string, password = PASSWORD) {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: button }).click();
}

test("with JavaScript: a person who passes the challenge has an account at once", async () => {
  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/sign-up`);
  await fill(page, newEmail(), "Create account");
  await expectSignedIn(page);
});

test("with JavaScript: a form sent too early waits for the challenge's box", async () => {
  await turnstile.mode({ widget: "click" });
  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/sign-up`);
  const box = page.frameLocator("iframe").getByLabel("I am a person");
  await box.waitFor();
  await fill(page, newEmail(), "Create account");
  expect(new URL(page.url()).pathname).toBe("/en/sign-up");
  // Not check(): the form is sent at once, and the box is gone with its page before anyone sees it ticked.
  await box.click();
  await expectSignedIn(page);
});

test("with JavaScript: where the challenge breaks down, the account is held like one without JavaScript", async () => {
  await turnstile.mode({ widget: "error" });
  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/sign-up`);
  await fill(page, newEmail(), "Create account");
  await page.getByText("Almost done. We emailed you a link").waitFor();
});

test("with JavaScript: a refused token is followed by a new one", async () => {
  const page = await browser.open({ javaScript: true });
  await turnstile.mode({ verdict: "fail" });
  await page.goto(`${app.url}/en/sign-up`);
  const email = newEmail();
  await fill(page, email, "Create account");
  await page.getByText("We couldn’t confirm that you’re a person.").waitFor();
  await turnstile.mode({ verdict: "pass" });
  await fill(page, email, "Create account");
  await expectSignedIn(page);
});

test("with JavaScript: a link from a page whose policy forbids the challenge still leads to it", async () => {
  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/reset-password?token=x`);
  await page.getByRole("banner").getByRole("link", { name: "Create account" }).click();
  await page.frameLocator("iframe").getByText("you are a person").waitFor();
  await fill(page, newEmail(), "Create account");
  await expectSignedIn(page);
});

test("with JavaScript: after many failures the sign-in page shows the challenge and then signs in", async () => {
  const person = await browser.open({ javaScript: true });
  const email = newEmail();
  await person.goto(`${app.url}/en/sign-up`);
  await fill(person, email, "Create account");
  await expectSignedIn(person);

  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/sign-in`);
  for (let failure = 0; failure < 5; failure++) {
    const responded = page.waitForResponse((response) => response.request().method() === "POST");
    await fill(page, email, "Sign in", "wrong password");
    await responded;
    await page.getByText("The email address or the password is wrong.").waitFor();
  }
  await fill(page, email, "Sign in");
  await page.getByText("Show first that you’re a person").waitFor();
  await fill(page, email, "Sign in");
  await expectSignedIn(page);
});

test("without JavaScript: an account works once its mailed link is confirmed with the password", async () => {
  const page = await browser.open({ javaScript: false });
  const email = newEmail();
  await page.goto(`${app.url}/en/sign-up`);
  // Locators by text pass over `noscript`, even where the browser shows it.
  const note = await page.locator("noscript [role=status]").innerText();
  expect(note).toContain("your account works once you open the link");
  await fill(page, email, "Create account");
  await page.getByText("Almost done. We emailed you a link").waitFor();
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await fill(page, email, "Sign in");
  await page.getByText("Confirm your email address first").waitFor();
  await page.goto(app.url + (await app.linkTo(email, 1)));
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Verify email address" }).click();
  await page.getByText("The email address or the password is wrong.").waitFor();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Verify email address" }).click();
  await expectSignedIn(page);
});

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a person signs in by a mailed link, and the page remembers it`, async () => {
    const page = await browser.open({ javaScript });
    const email = newEmail();
    const visitor = await browser.open({ javaScript: true });
    await visitor.goto(`${app.url}/en/sign-up`);
    await fill(visitor, email, "Create account");
    await expectSignedIn(visitor);
    await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);

    await page.goto(`${app.url}/en/sign-in`);
    await page.getByRole("link", { name: "Email me a sign-in link" }).click();
    await page.getByRole("heading", { name: "Sign in by email" }).waitFor();
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    const token = await makeLinkToken(app, email, "sign_in_link");
    await page.goto(`${app.url}/en/sign-in-link?token=${token}`);
    await page.getByText(`signed in as ${email}`).waitFor();
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await expectSignedIn(page);
    await signOut(page);
    await page.getByRole("link", { name: "Sign in" }).first().click();
    await page.getByText("Last used").waitFor();
  });
}
