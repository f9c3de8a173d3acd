import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { PASSWORD } from "../helpers/client";
import { makeLinkToken } from "../helpers/make-link";
import { outboxOf } from "../helpers/outbox";
import { passSessionTime } from "../helpers/pass-session-time";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { withPaymentServer } from "../helpers/with-payment-server";

const FREE_IMAGES = 2;

// Nothing listens there: mail is on, and stays in the outbox.
const app = withPaymentServer("stripe", {
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "Credits <credits@example.com>",
  NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
  SIGNUP_CREDITS: String(FREE_IMAGES * CREDITS_PER_IMAGE),
});
const browser = withBrowser();

beforeAll(() =>
  app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` }),
);

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name }).waitFor();
const verify = (email: string) =>
  app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);
const OPEN = /^Open Stripe/;

/** A person with a plan, on Billing, whose last proof of identity is too old. */
async function openBilling(page: Page, { verified }: { verified: boolean }) {
  const person = await enter(page, app.url);
  await app.buy("plan", { person });
  await expect
    .poll(() =>
      app.sql("SELECT 1 FROM subscriptions s JOIN users u ON u.id = s.user_id WHERE u.email = $1", [
        person.email,
      ]),
    )
    .toHaveLength(1);
  if (verified) await verify(person.email);
  await passSessionTime(app, { email: person.email, minutes: 11 });
  await page.goto(`${app.url}/en/account/billing`);
  return person;
}

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: after the sign-up the account says where the link went, sends it again, and falls silent once it is used`, async () => {
    const page = await browser.open({ javaScript });
    const email = `new-${javaScript}@example.com`;
    await page.goto(`${app.url}/en/demo/image-generator`);
    await page.getByText(`Your first ${FREE_IMAGES} images are free`).waitFor();
    await page.goto(`${app.url}/en/sign-up`);
    await page.getByText(`Your first ${FREE_IMAGES} images are free`).waitFor();
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    const banner = page.getByRole("status").filter({ hasText: "Check your email" });
    await banner.getByText(`We sent a link to ${email}.`).waitFor();
    await banner.getByText(`Your first ${FREE_IMAGES} images are free`).waitFor();
    await expectNarrow(page);
    await page.goto(`${app.url}/en/demo/image-generator`);
    await banner.getByText(`We sent a link to ${email}.`).waitFor();
    await page.goto(`${app.url}/en/account/credits?kind=spent`);
    const before = (await outboxOf(app, email)).at(-1)?.id;
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText(`We sent a new link to ${email}.`).waitFor();
    expect(new URL(page.url()).pathname).toBe("/en/account/credits");
    expect((await outboxOf(app, email)).at(-1)?.id).not.toBe(before);

    const token = await makeLinkToken(app, email, "verify_email");
    await page.goto(`${app.url}/en/verify-email?token=${token}`);
    await page.getByRole("button", { name: "Verify email address" }).click();
    await page.getByRole("link", { name: "Continue" }).click();
    // The free credits pay for an image.
    await page.getByLabel("What do you want to see?").waitFor();
    expect(await page.getByText("Check your email").count()).toBe(0);
  });

  test(`${mode}: the password leads on to the page at Stripe that was asked for`, async () => {
    const page = await browser.open({ javaScript });
    await openBilling(page, { verified: true });
    await page.getByRole("button", { name: OPEN }).click();
    await page.getByText("we’ll open the page with your card and invoices").waitFor();
    await expectNarrow(page);
    await page.getByLabel("Current password").fill("a wrong password");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("That isn’t your current password.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Confirm" }).click();
    await heading(page, "Stripe sandbox portal");
  });

  test(`${mode}: at Stripe, buyers whose address isn't verified get to their card, too`, async () => {
    const page = await browser.open({ javaScript });
    await openBilling(page, { verified: false });
    expect(await page.getByText("First verify your email address").count()).toBe(0);
    await page.getByRole("button", { name: OPEN }).click();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Confirm" }).click();
    await heading(page, "Stripe sandbox portal");
  });

  for (const { form, button } of [
    { form: "forgot-password", button: "Email me a link" },
    { form: "sign-in-link", button: "Email me a link" },
  ])
    test(`${mode}: ${form} says where the link went, the same for an address with and without an account`, async () => {
      const page = await browser.open({ javaScript });
      const { email } = await enter(page, app.url);
      await page.context().clearCookies();
      const texts: string[] = [];
      for (const address of [email, `nobody-${javaScript}-${form}@example.com`]) {
        await page.goto(`${app.url}/en/${form}`);
        await page.getByLabel("Email address").fill(address);
        await page.getByRole("button", { name: button }).click();
        await heading(page, "Check your email");
        const text = await page.getByRole("main").innerText();
        expect(text).toContain(address);
        expect(page.url()).not.toContain(encodeURIComponent(address));
        texts.push(text.replaceAll(address, "…"));
        await page.getByRole("button", { name: "Send again" }).click();
        await heading(page, "Check your email");
        expect(await page.getByRole("main").innerText()).toBe(text);
      }
      expect(texts[0]).toBe(texts[1]);
    });
}

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: after the proof, the export and the new password go on where they were asked for`, async () => {
    const page = await browser.open({ javaScript });
    const person = await enter(page, app.url);
    const prove = async () => {
      await heading(page, "Confirm it’s you");
      await page.getByLabel("Current password").fill(PASSWORD);
      await page.getByRole("button", { name: "Confirm" }).click();
    };
    const main = page.getByRole("main");
    await passSessionTime(app, { email: person.email, minutes: 11 });
    await page.goto(`${app.url}/en/account/data`);
    await main.getByRole("link", { name: "Download your data" }).click();
    await prove();
    await main.getByText("Press “Download your data” once more.").waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      main.getByRole("link", { name: "Download your data" }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe("account-data.json");

    await passSessionTime(app, { email: person.email, minutes: 11 });
    await page.goto(`${app.url}/en/account/security`);
    const change = async () => {
      const card = main.locator("#password-card, section").filter({ hasText: "Change password" });
      const form = card.first().locator("form").first();
      await form.getByLabel("Current password").fill(PASSWORD);
      await form.getByLabel("New password").fill("another correct horse battery");
      await form.getByRole("button", { name: "Change password" }).click();
    };
    await change();
    await prove();
    await main.getByText("Nothing was changed yet").waitFor();
    await change();
    await main.getByText("Your password is changed").waitFor();
  });
}
