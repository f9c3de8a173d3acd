import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { enter, withBrowser } from "../helpers/browser";
import { expectSoundLedger, ledgerOf } from "../helpers/ledger";
import { expectSignedIn } from "../helpers/signed-in";
import { withPaymentServer } from "../helpers/with-payment-server";

const app = withPaymentServer("stripe", { NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });
const browser = withBrowser();
let people = 0;

const deliverTo = (provider: "stripe" | "creem", url: string) =>
  app.control(provider, "PUT", "/endpoint", { url: `${url}/api/payments/webhook` });

// Deliveries aren't held back here: the provider delivers while the buyer is on the way back.
beforeAll(() => deliverTo("stripe", app.url));

const PRICING = "10 credits make one image";

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, level: 1 });

/** Follows a tab of the account. */
const openTab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Account pages" }).getByRole("link", { name }).click();

/** Fills in the sign-up form on the current page. */
async function signUpHere(page: Page): Promise<string> {
  const email = `buyer-${people++}@example.com`;
  await heading(page, "Create an account").waitFor();
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create account" }).click();
  await expectSignedIn(page);
  return email;
}

async function enterAndOpenPricing(page: Page): Promise<string> {
  const { email } = await enter(page, app.url);
  await page.goto(`${app.url}/en/pricing`);
  return email;
}

async function subscribe(page: Page, plan: string, period: "month" | "year"): Promise<void> {
  await page.getByRole("radio", { name: period === "month" ? "Monthly" : "Yearly" }).check();
  const button = `Choose the ${plan}${period === "month" ? "" : ", yearly"}`;
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await heading(page, /^\+[\d,]+ credits are yours$/).waitFor();
}

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a visitor buys a pack, signing up on the way, and gets its credits and a receipt`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en`);
    await page.getByRole("banner").getByRole("link", { name: "Pricing" }).click();
    await heading(page, PRICING).waitFor();
    await page.getByRole("button", { name: "Buy 500 credits" }).click();
    await heading(page, "Welcome back").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Create an account" }).click();
    const email = await signUpHere(page);
    await heading(page, PRICING).waitFor();

    await page.getByRole("button", { name: "Buy 500 credits" }).click();
    await page.getByText("$19.00").waitFor();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await heading(page, "+500 credits are yours").waitFor();
    await page.getByText("They never expire. Thank you.").waitFor();
    await page.getByRole("main").getByText("$19.00").waitFor();
    await page.getByRole("link", { name: "See your credits" }).click();
    await heading(page, "500 credits, enough for 50 images").waitFor();
    await page.getByText("500 never expire.").waitFor();

    await openTab(page, "Billing");
    await page.getByRole("heading", { name: "You have no plan" }).waitFor();
    await page.getByRole("row", { name: /500 credits.*Paid.*\$19\.00/ }).waitFor();
    await page.getByRole("link", { name: "Receipt for 500 credits" }).click();
    await heading(page, "Receipt").waitFor();
    await page.getByText("Stripe", { exact: true }).waitFor();
    await page.getByText(/^pi_/).waitFor();
    expect(await ledgerOf(app, email)).toEqual([["grant", 500]]);
  });

  test(`${mode}: choosing yearly shows the yearly prices, with their buttons alone`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/pricing`);
    const monthly = page.getByRole("button", { name: "Choose the Pro plan", exact: true });
    const yearly = page.getByRole("button", { name: "Choose the Pro plan, yearly" });
    expect([await monthly.count(), await yearly.count()]).toEqual([1, 0]);
    await page.getByRole("radio", { name: "Yearly" }).check();
    expect([await monthly.count(), await yearly.count()]).toEqual([0, 1]);
    await page.getByText("$24.17 a month").waitFor();
  });

  test(`${mode}: a declined card and a return without paying give no credits`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAndOpenPricing(page);
    await page.getByRole("button", { name: "Buy 100 credits" }).click();
    await page.getByRole("button", { name: "Pay with a card that is declined" }).click();
    await page.getByText("Your card was declined.").waitFor();
    await page.goBack();
    await page.goBack();
    expect(await page.getByRole("button", { name: "Buy 100 credits" }).isEnabled()).toBe(true);
    await page.getByRole("button", { name: "Buy 100 credits" }).click();
    await page.getByRole("link", { name: "Go back without paying" }).click();
    await heading(page, "Nothing was bought").waitFor();
    await page.getByRole("link", { name: "Back to pricing" }).click();
    await heading(page, PRICING).waitFor();
    expect(await page.getByRole("button", { name: "Buy 100 credits" }).isEnabled()).toBe(true);
    await page.goto(`${app.url}/en/account`);
    await page.getByRole("heading", { name: "0 credits", level: 1 }).waitFor();
    expect(await ledgerOf(app, email)).toEqual([]);
  });

  test(`${mode}: a subscriber gets the first month at once, sees what comes next, and cancels`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAndOpenPricing(page);
    await subscribe(page, "Starter plan", "year");
    await page.getByRole("link", { name: "See your credits" }).click();
    await heading(page, "300 credits, enough for 30 images").waitFor();
    await page.getByText(/^300 expire on .*\. We spend these first\.$/).waitFor();
    await openTab(page, "Credits");
    await page.getByText(/^300 more credits come on/).waitFor();

    await openTab(page, "Billing");
    await page.getByRole("heading", { name: "Starter plan" }).waitFor();
    await page.getByText("$90.00 a year", { exact: true }).waitFor();
    await page.getByText(/^300 credits come\. What’s left/).waitFor();
    await page.getByText(/^Your Starter plan renews for \$90\.00 a year/).waitFor();

    await page.getByRole("link", { name: "Cancel plan" }).click();
    await heading(page, "Cancel your Starter plan?").waitFor();
    await page.getByText(/You can use it until/).waitFor();
    await page.getByText("300 new credits every month").waitFor();
    await page.getByRole("button", { name: /^Cancel plan on/ }).click();
    await page.getByText("Your plan is cancelled. You can use it until it ends").waitFor();
    await page.getByText("Your plan ends, and you won’t be charged again.").waitFor();
    await page.getByText(/^300 credits come\. What’s left/).waitFor();
    expect(await page.getByRole("link", { name: "Cancel plan" }).count()).toBe(0);
    expect(await ledgerOf(app, email)).toEqual([["grant", 300]]);
    await expectSoundLedger(app);
  });

  test(`${mode}: billing opens the provider's portal, which leads back`, async () => {
    const page = await browser.open({ javaScript });
    await enterAndOpenPricing(page);
    await subscribe(page, "Pro plan", "month");
    await page.goto(`${app.url}/en/account/billing`);
    await page
      .getByText(/^Your Pro plan renews for \$29\.00 a month\. 1,200 credits come/)
      .waitFor();
    await page.getByRole("button", { name: "Open Stripe" }).click();
    await heading(page, "Stripe sandbox portal").waitFor();
    await page.getByRole("button", { name: "Cancel at the end of the period" }).click();
    await page.getByRole("link", { name: "Back to the site" }).click();
    await page.getByText("Your plan ends, and you won’t be charged again.").waitFor();
  });

  test(`${mode}: a subscriber is offered no second plan, and an old page's offer is refused`, async () => {
    const page = await browser.open({ javaScript });
    await enterAndOpenPricing(page);
    const old = await page.context().newPage();
    await old.goto(`${app.url}/en/pricing`);
    await subscribe(page, "Starter plan", "month");
    await old.getByRole("button", { name: "Choose the Pro plan", exact: true }).click();
    await old.getByRole("alert").getByText("You already have a plan").waitFor();
    const own = old.getByRole("listitem").filter({ hasText: "Starter plan" });
    await own.getByText("Your plan", { exact: true }).waitFor();
    expect(await old.getByRole("button", { name: /Choose/ }).count()).toBe(0);
    await old.getByRole("link", { name: "Upgrade to the Pro plan", exact: true }).waitFor();
    await old.getByRole("alert").getByRole("link", { name: "Manage your plan" }).click();
    await heading(old, "Billing").waitFor();
  });
}

test("at Creem the signed return is shown as verified, and only the webhook adds credits", async () => {
  const shop = await app.startAnother({ PAYMENTS_PROVIDER: "creem" });
  onTestFinished(() => shop.stop());
  await deliverTo("creem", shop.url);
  const page = await browser.open({ javaScript: true });
  await page.goto(`${shop.url}/en/sign-up?redirectTo=/en/pricing`);
  const email = await signUpHere(page);
  await page.getByRole("button", { name: "Buy 100 credits" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await heading(page, "+100 credits are yours").waitFor();
  const signed = page.url();
  expect(await ledgerOf(app, email)).toEqual([["grant", 100]]);

  // As before the webhook: the page can't know the checkout.
  await page.context().clearCookies();
  await page.goto(signed);
  await page.getByText("You’ve come back from the payment provider.").waitFor();

  const forged = new URL(page.url());
  forged.searchParams.set("order_id", "ord_forged");
  await page.goto(forged.href);
  await page.getByText("This page doesn’t confirm your payment.").waitFor();
  await page.goto(`${shop.url}/en/checkout/success`);
  await page.getByText("If you paid, you’ll get your credits").waitFor();
  expect(await ledgerOf(app, email)).toEqual([["grant", 100]]);
});
