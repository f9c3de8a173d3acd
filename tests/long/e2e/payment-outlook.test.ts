import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { nameOf, PLAN, shown } from "../../fixtures/sold";
import { enter, expectNarrow, withBrowser } from "../../helpers/browser";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer();
const browser = withBrowser();

const silence = (silent: boolean) => app.control("stripe", "PUT", "/api", { silent });

beforeEach(async () => {
  await app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` });
  await silence(false);
});

async function subscribe(page: Page): Promise<void> {
  await enter(page, app.url);
  await page.goto(`${app.url}/en/pricing`);
  await page.getByRole("button", { name: `Choose the ${nameOf(PLAN)}`, exact: true }).click();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page.getByRole("heading", { name: /^\+[\d,]+ credits are yours$/ }).waitFor();
}

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: billing shows the card and the next invoice, and none once the plan is cancelled`, async () => {
    const page = await browser.open({ javaScript });
    await subscribe(page);
    await page.goto(`${app.url}/en/account/billing`);
    const plan = page.getByRole("region", { name: nameOf(PLAN) });
    await plan.getByText("Visa card ending in 4242, saved at Stripe").waitFor();
    await plan.getByText(`Next invoice: ${shown(PLAN.amounts.month)} on`).waitFor();
    await expectNarrow(page);
    await page.getByRole("link", { name: "Cancel plan" }).click();
    await page.getByRole("button", { name: /^Cancel plan on/ }).click();
    await plan.getByText("Visa card ending in 4242").waitFor();
    expect(await page.getByText("Next invoice").count()).toBe(0);
  });

  test(`${mode}: billing comes without them, and says so, while the provider is silent`, async () => {
    const page = await browser.open({ javaScript });
    await subscribe(page);
    await silence(true);
    const begun = performance.now();
    await page.goto(`${app.url}/en/account/billing`);
    const plan = page.getByRole("region", { name: nameOf(PLAN) });
    await plan.getByText("Stripe didn’t answer just now.").waitFor();
    // The page waits two seconds for the provider.
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(await page.getByText(/4242|Next invoice:/).count()).toBe(0);
    await page.getByRole("link", { name: "Cancel plan" }).waitFor();
  });
}
