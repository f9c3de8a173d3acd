import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { enter, withBrowser } from "../helpers/browser";
import { expectSoundLedger, ledgerOf } from "../helpers/ledger";
import { withPaymentServer } from "../helpers/with-payment-server";

const app = withPaymentServer("stripe");
const browser = withBrowser();

// Deliveries aren't held back here: the provider delivers while the buyer is on the way back.
beforeAll(() =>
  app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` }),
);

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const option = (page: Page, name: RegExp) => page.getByRole("link", { name });

/** Enters and subscribes to the starter plan by the month. Returns the email address. */
async function subscribe(page: Page, url = app.url): Promise<string> {
  const { email } = await enter(page, url);
  await page.goto(`${url}/en/pricing`);
  await page.getByRole("button", { name: "Choose the Starter plan", exact: true }).click();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page.getByRole("heading", { name: "+300 credits are yours" }).waitFor();
  return email;
}

async function openChange(page: Page, url = app.url): Promise<void> {
  await page.goto(`${url}/en/account/billing`);
  await page.getByRole("link", { name: "Change plan" }).click();
  await heading(page, "Change your plan").waitFor();
}

/** The plan that the billing page shows, once the provider's events have arrived. */
const expectPlan = (page: Page, name: string) =>
  expect
    .poll(async () => {
      await page.reload();
      return page.getByRole("heading", { name, level: 2 }).count();
    })
    .toBe(1);

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a subscriber upgrades, sees the difference arrive, plans a downgrade, undoes it and cancels`, async () => {
    const page = await browser.open({ javaScript });
    const email = await subscribe(page);
    await openChange(page);
    await page.getByText("You have the Starter plan at $9.00 a month.").waitFor();
    await page.getByText("Your plan now").waitFor();

    await option(page, /^Pro plan, monthly .*\$29\.00 a month/).click();
    await page.getByRole("heading", { name: "Due today" }).waitFor();
    await page.getByText("$20.00", { exact: true }).waitFor();
    await page.getByText("-$9.00").waitFor();
    await page.getByText("You get 900 more credits for the rest of this month.").waitFor();
    await page.getByText("renews for $29.00 a month, and 1,200 credits come").waitFor();
    await page.getByRole("button", { name: "Pay $20.00 and switch" }).click();
    await page.getByText("Your plan changes as soon as the payment is confirmed").waitFor();
    await expect
      .poll(() => ledgerOf(app, email))
      .toEqual([
        ["grant", 300],
        ["grant", 900],
      ]);
    await page.goto(`${app.url}/en/account/credits`);
    await page.getByRole("heading", { name: "1,200 credits" }).waitFor();
    await page.goto(`${app.url}/en/account/billing`);
    await expectPlan(page, "Pro plan");

    await page.getByRole("link", { name: "Change plan" }).click();
    await option(page, /^Starter plan, monthly .*\$9\.00 a month/).click();
    await page.getByText("$0.00", { exact: true }).waitFor();
    await page.getByText("You keep the Pro plan and its credits until then.").waitFor();
    await page.getByRole("button", { name: /^Switch on/ }).click();
    await page.getByText("Your change is planned. Nothing was charged.").waitFor();
    await page.getByText(/^From .*: Starter plan, \$9\.00 a month\.$/).waitFor();
    await page.getByText(/^The Starter plan begins, \$9\.00 a month\. 300 credits come/).waitFor();

    await page.getByRole("link", { name: "Change plan" }).click();
    await page.getByRole("heading", { name: "A change is planned" }).waitFor();
    await page.getByRole("button", { name: "Undo the change" }).click();
    await page.getByText("The planned change is undone.").waitFor();
    expect(await page.getByText(/^From .*: Starter plan/).count()).toBe(0);
    await page
      .getByText(/^Your Pro plan renews for \$29\.00 a month\. 1,200 credits come/)
      .waitFor();

    await page.getByRole("link", { name: "Cancel plan" }).click();
    await page.getByRole("button", { name: /^Cancel plan on/ }).click();
    await page.getByText("Your plan is cancelled.").waitFor();
    expect(await page.getByRole("link", { name: "Change plan" }).count()).toBe(0);
    await expectSoundLedger(app);
  });

  test(`${mode}: after a declined card nothing has changed, until the open payment is made`, async () => {
    const page = await browser.open({ javaScript });
    const email = await subscribe(page);
    const [row] = await app.sql<{ id: string }>(
      `SELECT provider_customer_id AS id FROM subscriptions
       JOIN users ON users.id = user_id WHERE email = $1`,
      [email],
    );
    await app.control("stripe", "PUT", `/customers/${row?.id}/card`, { declines: true });
    await openChange(page);
    await option(page, /^Pro plan, yearly .*\$290\.00 a year/).click();
    await page.getByRole("button", { name: "Pay $281.00 and switch" }).click();
    await page.getByRole("heading", { name: "Your payment is open" }).waitFor();
    await page.getByText("You have the Starter plan at $9.00 a month.").waitFor();
    expect(await ledgerOf(app, email)).toEqual([["grant", 300]]);

    await page.getByRole("link", { name: "Pay at Stripe" }).click();
    await page.getByText("$281.00").waitFor();
    await page.getByRole("button", { name: "Pay the invoice" }).click();
    await page.getByText("This invoice is paid.").waitFor();
    await page.goto(`${app.url}/en/account/billing`);
    await expectPlan(page, "Pro plan");
    await page.getByText("$290.00 a year", { exact: true }).waitFor();
    await expect
      .poll(() => ledgerOf(app, email))
      .toEqual([
        ["grant", 300],
        ["grant", 900],
      ]);
  });

  test(`${mode}: on a payment that went back no plan is offered, and the page says why`, async () => {
    const page = await browser.open({ javaScript });
    const email = await subscribe(page);
    const setReturned = (amount: number) =>
      app.sql(
        `UPDATE subscription_periods SET amount_returned = $2 WHERE subscription_id IN (
           SELECT s.id FROM subscriptions s JOIN users u ON u.id = user_id WHERE email = $1)`,
        [email, amount],
      );
    await openChange(page);
    await option(page, /^Pro plan, monthly .*\$29\.00 a month/).click();
    const pay = page.getByRole("button", { name: "Pay $20.00 and switch" });
    await pay.waitFor();
    await setReturned(450);
    await pay.click();
    await page.getByText("You can’t change your plan right now").waitFor();
    await page.getByText("The payment for your current period was refunded").waitFor();
    expect(await option(page, /^Pro plan/).count()).toBe(0);
    expect(await ledgerOf(app, email)).toEqual([["grant", 300]]);
    await setReturned(0);
    await openChange(page);
    await option(page, /^Pro plan, monthly/).waitFor();
  });
}

test("at Creem an upgrade is made at once from an estimate, and a downgrade is not promised", async () => {
  const shop = await app.startAnother({ PAYMENTS_PROVIDER: "creem" });
  onTestFinished(() => shop.stop());
  await app.control("creem", "PUT", "/endpoint", { url: `${shop.url}/api/payments/webhook` });
  const page = await browser.open({ javaScript: false });
  const email = await subscribe(page, shop.url);
  await openChange(page, shop.url);
  await option(page, /^Pro plan, monthly .*\$29\.00 a month/).click();
  await page.getByText("About $20.00").waitFor();
  await page.getByRole("button", { name: "Pay and switch" }).click();
  await page.getByText("Your plan changes as soon as").waitFor();
  await expectPlan(page, "Pro plan");
  const cron = { headers: { Authorization: `Bearer ${app.env.CRON_SECRET}` } };
  // The delivery of the payment may arrive after that of the new plan.
  await expect
    .poll(async () => {
      await fetch(`${shop.url}/api/cron/maintenance`, cron);
      return ledgerOf(app, email);
    })
    .toEqual([
      ["grant", 300],
      ["grant", 900],
    ]);

  await openChange(page, shop.url);
  await option(page, /^Starter plan, monthly .*\$9\.00 a month/).click();
  await page.getByText("Creem can’t plan a change for later.").waitFor();
  expect(await page.getByRole("button", { name: /Switch|switch/ }).count()).toBe(0);
  await page.getByRole("main").getByRole("link", { name: "Cancel your plan" }).last().click();
  await heading(page, "Cancel your Pro plan?").waitFor();
});
