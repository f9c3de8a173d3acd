import { expect, test } from "vitest";
import { HAS_TWO_PLANS, nameOf, PLAN, shown, TOP_PLAN } from "../../fixtures/sold";
import { withBrowser } from "../../helpers/browser";
import { withStorySite } from "../../helpers/with-story-site";

const site = withStorySite();
const browser = withBrowser();

test("the plan of the screenshots' account is one that its provider knows: it can be priced, switched, cancelled, kept and managed there", async () => {
  const page = await browser.open({ javaScript: false });
  await site.enterAs("busy", page.context());
  const billing = `${site.app.url}/en/account/billing`;
  await page.goto(billing);
  const plan = page.getByRole("region", { name: nameOf(PLAN) });
  await plan.getByText("Visa card ending in 4242").waitFor();
  await plan.getByText(`Next invoice: ${shown(PLAN.amounts.month)}`).waitFor();

  if (HAS_TWO_PLANS) {
    await page.goto(`${billing}/change?plan=${TOP_PLAN.planKey}&period=month`);
    await page.getByRole("heading", { name: "Due today" }).waitFor();
    await page.getByRole("button", { name: /^Pay .* and switch$/ }).waitFor();
  }

  await page.goto(billing);
  await page.getByRole("link", { name: "Cancel plan" }).click();
  await page.getByRole("button", { name: /^Cancel plan on/ }).click();
  await page.getByText("Your plan is cancelled.").waitFor();
  await page.getByRole("button", { name: `Keep my ${nameOf(PLAN)}` }).click();
  await page.getByText("You keep your plan.").waitFor();

  await page.getByRole("button", { name: "Open Stripe" }).click();
  await page.getByRole("heading", { name: "Stripe sandbox portal" }).waitFor();
  expect(await page.getByRole("button", { name: "Cancel at the end of the period" }).count()).toBe(
    1,
  );
});
