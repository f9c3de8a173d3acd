import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { credits, HAS_TWO_PLANS, nameOf, PLAN, shown, TOP_PLAN } from "../../fixtures/sold";
import { enter, withBrowser } from "../../helpers/browser";
import { outboxOf } from "../../helpers/outbox";
import { withPaymentServer } from "../../helpers/with-payment-server";

// The mail server is away: what is queued stays to be counted.
const app = withPaymentServer("stripe", {
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "noreply@example.com",
});
const browser = withBrowser();
const LARGE = nameOf(TOP_PLAN);
const SMALL = nameOf(PLAN);
const MORE = TOP_PLAN.creditsPerMonth - PLAN.creditsPerMonth;
const KEEP = `Keep my ${LARGE}`;

const delay = (delayMs: number) => app.control("stripe", "PUT", "/mode", { delayMs });

beforeEach(async () => {
  await app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` });
  await delay(0);
});

async function subscribe(page: Page, plan: string): Promise<string> {
  const { email } = await enter(page, app.url);
  await page.goto(`${app.url}/en/pricing`);
  await page.getByRole("button", { name: `Choose the ${plan}`, exact: true }).click();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page.getByRole("heading", { name: /^\+[\d,]+ credits are yours$/ }).waitFor();
  return email;
}

const settle = () => app.control("stripe", "POST", "/deliveries/settle");

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test.runIf(HAS_TWO_PLANS)(
    `${mode}: cancelling a plan with a planned change says so, holds whatever comes late, and is mailed once`,
    async () => {
      const page = await browser.open({ javaScript });
      const email = await subscribe(page, LARGE);
      await page.goto(`${app.url}/en/account/billing/change?plan=${PLAN.planKey}&period=month`);
      await page.getByRole("button", { name: /^Switch on/ }).click();
      await page.getByText("Your change is planned.").waitFor();

      await page.getByRole("link", { name: "Cancel plan" }).click();
      await page.getByText(`Your switch to the ${SMALL} is dropped, too.`).waitFor();
      await delay(2000);
      await page.getByRole("button", { name: /^Cancel plan on/ }).click();
      const expectCancelled = async () => {
        await page
          .getByText(new RegExp(`^Your ${LARGE} ends on .* You won’t be charged again`))
          .first()
          .waitFor();
        const main = await page.getByRole("main").innerText();
        expect(main).not.toMatch(/renews|every month|Undo the change|Change plan/);
        expect(main).not.toContain(SMALL);
      };
      await expectCancelled();
      // Each event comes two seconds after the one before.
      await settle();
      await page.goto(`${app.url}/en/account/billing`);
      await expectCancelled();
      const kinds = (await outboxOf(app, email)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "subscription_ending")).toHaveLength(1);
    },
  );

  test(`${mode}: a cancelled plan is kept from billing, from the overview and from pricing`, async () => {
    const page = await browser.open({ javaScript });
    await subscribe(page, LARGE);
    for (const path of ["account/billing", "account", "pricing"]) {
      await page.goto(`${app.url}/en/account/billing`);
      await page.getByRole("link", { name: "Cancel plan" }).click();
      await page.getByRole("button", { name: /^Cancel plan on/ }).click();
      await page.getByText("Your plan is cancelled.").waitFor();
      await page.goto(`${app.url}/en/${path}`);
      await page
        .getByText(new RegExp(`Your ${LARGE} ends on`))
        .first()
        .waitFor();
      expect(await page.getByText(/at renewal/).count()).toBe(0);
      await page.getByRole("button", { name: KEEP }).click();
      await page.getByText("You keep your plan. Nothing was charged today.").waitFor();
      await page
        .getByText(new RegExp(`^Your ${LARGE} renews on`))
        .first()
        .waitFor();
      expect(await page.getByRole("button", { name: KEEP }).count()).toBe(0);
    }
  });

  test.runIf(HAS_TWO_PLANS)(
    `${mode}: after a switch the page waits for the payment by itself, and then shows what came`,
    async () => {
      const page = await browser.open({ javaScript });
      await subscribe(page, SMALL);
      await delay(2000);
      await page.goto(`${app.url}/en/account/billing/change?plan=${TOP_PLAN.planKey}&period=month`);
      await page.getByRole("button", { name: /^Pay .* and switch$/ }).click();
      await page.getByRole("heading", { name: `We’re switching you to the ${LARGE}` }).waitFor();
      await page.getByText(`Your ${credits(MORE)} arrive in about a minute.`).waitFor();
      await page.getByRole("heading", { name: `+${credits(MORE)} are yours` }).waitFor();
      const order = page.getByRole("region", { name: "Your order" });
      const paid = TOP_PLAN.amounts.month - PLAN.amounts.month;
      await order.getByText(shown(paid)).waitFor();
      await page
        .getByText(new RegExp(`^Your ${LARGE} renews on`))
        .first()
        .waitFor();
    },
  );

  test(`${mode}: the page after a plan's checkout names the plan, its price, its renewal and the receipt`, async () => {
    const page = await browser.open({ javaScript });
    const email = await subscribe(page, SMALL);
    const order = page.getByRole("region", { name: "Your order" });
    await order.getByText(`${SMALL}, monthly`).waitFor();
    await order.getByText(shown(PLAN.amounts.month)).waitFor();
    await order.getByText("Order number").waitFor();
    await order.getByText(`we email it to ${email}, too`).waitFor();
    await page.getByText(new RegExp(`^Your ${SMALL} renews on`)).waitFor();
    await page.getByRole("link", { name: "See your credits" }).click();
    await page.getByRole("heading", { name: credits(PLAN.creditsPerMonth) }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/en/account/credits");
  });
}
