import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import {
  credits,
  HAS_TWO_PLANS,
  MIDDLE_PACK,
  nameOf,
  PACK,
  PLAN,
  shown,
  TOP_PLAN,
} from "../fixtures/sold";
import { enter, withBrowser } from "../helpers/browser";
import { expectSoundLedger, ledgerOf } from "../helpers/ledger";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { withPaymentServer } from "../helpers/with-payment-server";

const app = withPaymentServer("stripe", { NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });
const browser = withBrowser();
let people = 0;

const deliverTo = (provider: "stripe" | "creem", url: string) =>
  app.control(provider, "PUT", "/endpoint", { url: `${url}/api/payments/webhook` });

// Deliveries aren't held back here: the provider delivers while the buyer is on the way back.
beforeAll(() => deliverTo("stripe", app.url));

const PRICING = `${credits(CREDITS_PER_IMAGE)} make one image`;
const [SMALL_NAME, LARGE_NAME] = [nameOf(PLAN), nameOf(TOP_PLAN)];
const [SMALL_PACK, MIDDLE] = [credits(PACK.credits), credits(MIDDLE_PACK.credits)];
const MONTHLY = credits(PLAN.creditsPerMonth);
const MONTHLY_COUNT = PLAN.creditsPerMonth.toLocaleString("en");

/** enough(MIDDLE_PACK.credits). */
function enough(count: number): string {
  const images = Math.floor(count / CREDITS_PER_IMAGE);
  return `${credits(count)}, enough for ${images.toLocaleString("en")} images`;
}

/** A pattern for a text in which dollar signs stand for themselves. */
const textLike = (pattern: string) => new RegExp(pattern.replaceAll("$", "\\$"));

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, level: 1 });

/** Follows a tab of the account. */
const openTab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Account pages" }).getByRole("link", { name }).click();

/** Fills in the sign-up form on the current page. */
async function signUpHere(page: Page): Promise<string> {
  const email = `buyer-${people++}@example.com`;
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create account" }).click();
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

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a visitor buys a pack, signing up on the way, and gets its credits and a receipt`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en`);
    await page.getByRole("banner").getByRole("link", { name: "Pricing" }).click();
    await heading(page, PRICING).waitFor();
    await page.getByRole("button", { name: `Buy ${MIDDLE}` }).click();
    await heading(page, /^Create an account to buy/).waitFor();
    const email = await signUpHere(page);

    await page.getByText(shown(MIDDLE_PACK.amount)).waitFor();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await heading(page, `+${MIDDLE} are yours`).waitFor();
    await page.getByText("They never expire. Thank you.").waitFor();
    await page.getByRole("main").getByText(shown(MIDDLE_PACK.amount)).waitFor();
    await page.getByRole("link", { name: "See your credits" }).click();
    await heading(page, MIDDLE).waitFor();
    await openTab(page, "Overview");
    await heading(page, enough(MIDDLE_PACK.credits)).waitFor();
    await page.getByText(`${MIDDLE_PACK.credits.toLocaleString("en")} never expire.`).waitFor();

    await openTab(page, "Billing");
    await page.getByRole("heading", { name: "You have no plan" }).waitFor();
    await page
      .getByRole("row", { name: textLike(`${MIDDLE}.*Paid.*${shown(MIDDLE_PACK.amount)}`) })
      .waitFor();
    await page.getByRole("link", { name: `Receipt for ${MIDDLE}` }).click();
    await heading(page, "Receipt").waitFor();
    await page.getByText("Stripe", { exact: true }).waitFor();
    await page.getByText(/^pi_/).waitFor();
    expect(await ledgerOf(app, email)).toEqual([["grant", MIDDLE_PACK.credits]]);
  });

  test(`${mode}: choosing yearly shows the yearly prices, with their buttons alone`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/pricing`);
    const monthly = page.getByRole("button", { name: `Choose the ${LARGE_NAME}`, exact: true });
    const yearly = page.getByRole("button", { name: `Choose the ${LARGE_NAME}, yearly` });
    expect([await monthly.count(), await yearly.count()]).toEqual([1, 0]);
    await page.getByRole("radio", { name: "Yearly" }).check();
    expect([await monthly.count(), await yearly.count()]).toEqual([0, 1]);
    const perMonth = shown(Math.round(TOP_PLAN.amounts.year / 12), { short: true });
    await page.getByText(`${perMonth} a month`).waitFor();
  });

  test(`${mode}: a declined card and a return without paying give no credits`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAndOpenPricing(page);
    await page.getByRole("button", { name: `Buy ${SMALL_PACK}` }).click();
    await page.getByRole("button", { name: "Pay with a card that is declined" }).click();
    await page.getByText("Your card was declined.").waitFor();
    await page.goBack();
    await page.goBack();
    expect(await page.getByRole("button", { name: `Buy ${SMALL_PACK}` }).isEnabled()).toBe(true);
    await page.getByRole("button", { name: `Buy ${SMALL_PACK}` }).click();
    await page.getByRole("link", { name: "Go back without paying" }).click();
    await heading(page, "Nothing was bought").waitFor();
    await page.getByRole("link", { name: "Back to pricing" }).click();
    await heading(page, PRICING).waitFor();
    expect(await page.getByRole("button", { name: `Buy ${SMALL_PACK}` }).isEnabled()).toBe(true);
    await page.goto(`${app.url}/en/account`);
    await page.getByRole("heading", { name: "0 credits", level: 1 }).waitFor();
    expect(await ledgerOf(app, email)).toEqual([]);
  });

  test(`${mode}: a subscriber gets the first month at once, sees what comes next, and cancels`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAndOpenPricing(page);
    await subscribe(page, SMALL_NAME, "year");
    await page.getByRole("link", { name: "See your credits" }).click();
    await heading(page, MONTHLY).waitFor();
    await openTab(page, "Overview");
    await heading(page, enough(PLAN.creditsPerMonth)).waitFor();
    await page
      .getByText(new RegExp(`^${MONTHLY_COUNT} expire on .*\\. We spend these first\\.$`))
      .waitFor();
    await openTab(page, "Credits");
    await page.getByText(new RegExp(`^${MONTHLY_COUNT} more credits come on`)).waitFor();

    await openTab(page, "Billing");
    await page.getByRole("heading", { name: SMALL_NAME }).waitFor();
    await page.getByText(`${shown(PLAN.amounts.year)} a year`, { exact: true }).waitFor();
    await page.getByText(new RegExp(`^${MONTHLY} come\\. What’s left`)).waitFor();
    await page
      .getByText(
        textLike(
          `^Your ${SMALL_NAME} renews on .* for ${shown(PLAN.amounts.year)} a year\\. ${MONTHLY} come`,
        ),
      )
      .waitFor();

    await page.getByRole("link", { name: "Cancel plan" }).click();
    await heading(page, `Cancel your ${SMALL_NAME}?`).waitFor();
    await page.getByText(/You can use it until/).waitFor();
    await page.getByText(`${MONTHLY_COUNT} new credits every month`).waitFor();
    await page.getByRole("button", { name: /^Cancel plan on/ }).click();
    await page.getByText("Your plan is cancelled. You can use it until it ends").waitFor();
    await page
      .getByText(
        textLike(`^Your ${SMALL_NAME} ends on .* You won’t be charged again\\. What’s left`),
      )
      .waitFor();
    await page.getByText(new RegExp(`^${MONTHLY} come\\. What’s left`)).waitFor();
    expect(await page.getByRole("link", { name: "Cancel plan" }).count()).toBe(0);
    expect(await ledgerOf(app, email)).toEqual([["grant", PLAN.creditsPerMonth]]);
    await expectSoundLedger(app);
  });

  test(`${mode}: billing opens the provider's portal, which leads back`, async () => {
    const page = await browser.open({ javaScript });
    await enterAndOpenPricing(page);
    await subscribe(page, LARGE_NAME, "month");
    await page.goto(`${app.url}/en/account/billing`);
    await page
      .getByText(
        textLike(
          `^Your ${LARGE_NAME} renews on .* for ${shown(TOP_PLAN.amounts.month)} a month\\. ${credits(TOP_PLAN.creditsPerMonth)} come`,
        ),
      )
      .waitFor();
    await page.getByRole("button", { name: "Open Stripe" }).click();
    await heading(page, "Stripe sandbox portal").waitFor();
    await page.getByRole("button", { name: "Cancel at the end of the period" }).click();
    await page.getByRole("link", { name: "Back to the site" }).click();
    await page
      .getByText(
        textLike(`^Your ${LARGE_NAME} ends on .* You won’t be charged again\\. What’s left`),
      )
      .waitFor();
  });

  test.runIf(HAS_TWO_PLANS)(
    `${mode}: a subscriber is offered no second plan, and an old page's offer is refused`,
    async () => {
      const page = await browser.open({ javaScript });
      await enterAndOpenPricing(page);
      const old = await page.context().newPage();
      await old.goto(`${app.url}/en/pricing`);
      await subscribe(page, SMALL_NAME, "month");
      await old.getByRole("button", { name: `Choose the ${LARGE_NAME}`, exact: true }).click();
      await old.getByRole("alert").getByText("You already have a plan").waitFor();
      const own = old.getByRole("listitem").filter({ hasText: SMALL_NAME });
      await own.getByText("Your plan", { exact: true }).waitFor();
      expect(await old.getByRole("button", { name: /Choose/ }).count()).toBe(0);
      await old.getByRole("link", { name: `Upgrade to the ${LARGE_NAME}`, exact: true }).waitFor();
      await old.getByRole("alert").getByRole("link", { name: "Manage your plan" }).click();
      await heading(old, "Billing").waitFor();
    },
  );
}

test("at Creem the signed return is shown as verified, and only the webhook adds credits", async () => {
  const shop = await app.startAnother({ PAYMENTS_PROVIDER: "creem" });
  onTestFinished(() => shop.stop());
  await deliverTo("creem", shop.url);
  const page = await browser.open({ javaScript: true });
  await page.goto(`${shop.url}/en/sign-up?redirectTo=/en/pricing`);
  const email = await signUpHere(page);
  await page.getByRole("button", { name: `Buy ${SMALL_PACK}` }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await heading(page, `+${SMALL_PACK} are yours`).waitFor();
  const signed = page.url();
  expect(await ledgerOf(app, email)).toEqual([["grant", PACK.credits]]);

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
  expect(await ledgerOf(app, email)).toEqual([["grant", PACK.credits]]);
});
