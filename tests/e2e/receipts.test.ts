import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { credits, MIDDLE_PACK, nameOf, PLAN, shown } from "../fixtures/sold";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { withPaymentServer } from "../helpers/with-payment-server";

const app = withPaymentServer("stripe", {
  SELLER_NAME: "Shop Ltd",
  SELLER_ADDRESS: "1 High Street; London W1A 1AA; United Kingdom",
  SELLER_TAX_ID: "GB 123 4567 89",
});
const taxed = withPaymentServer("stripe", { PROVIDER_A_AUTOMATIC_TAX: "true" });
const browser = withBrowser();

beforeEach(() =>
  app.control("stripe", "PUT", "/endpoint", { url: `${app.url}/api/payments/webhook` }),
);

/** Buys the item behind the button on the prices, and returns the buyer's address. */
async function buy(page: Page, button: string, pay: string): Promise<string> {
  const { email } = await enter(page, app.url);
  await page.goto(`${app.url}/en/pricing`);
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("button", { name: pay, exact: true }).click();
  await page.getByRole("heading", { name: /^\+[\d,]+ credits are yours$/ }).waitFor();
  return email;
}

const isShown = (page: Page, selector: string) => page.locator(selector).first().isVisible();

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  for (const { what, button, pay, item, amount } of [
    {
      ...{ what: "a pack", button: `Buy ${credits(MIDDLE_PACK.credits)}`, pay: "Pay" },
      ...{ item: credits(MIDDLE_PACK.credits), amount: MIDDLE_PACK.amount },
    },
    {
      ...{ what: "a plan", button: `Choose the ${nameOf(PLAN)}`, pay: "Subscribe" },
      ...{ item: nameOf(PLAN), amount: PLAN.amounts.month },
    },
  ])
    test(`${mode}: the receipt for ${what} names seller, buyer and tax, and prints without the rest`, async () => {
      const page = await browser.open({ javaScript });
      const email = await buy(page, button, pay);
      await page.goto(`${app.url}/en/account/billing`);
      await page.getByRole("link", { name: /^Receipt/ }).click();
      await page.getByRole("heading", { name: `Receipt for ${item}` }).waitFor();
      const facts = await page.locator("dl.receipt").innerText();
      const lines = facts.split(/\s*\n\s*/);
      const seller = ["Shop Ltd", "1 High Street", "London W1A 1AA", "United Kingdom"];
      expect(lines.join("\n")).toContain(
        ["Seller", ...seller, "Tax number GB 123 4567 89", "Buyer", email].join("\n"),
      );
      expect(lines.join("\n")).toContain("Tax\nAs Stripe showed it before you paid");
      expect(facts).toContain(shown(amount));
      await expectNarrow(page);
      expect(await isShown(page, "header")).toBe(true);
      await page.emulateMedia({ media: "print" });
      expect(await isShown(page, "header")).toBe(false);
      expect(await isShown(page, "footer")).toBe(false);
      expect(await isShown(page, "dl.receipt")).toBe(true);
    });

  test(`${mode}: prices say that nothing is added only where no tax is`, async () => {
    const page = await browser.open({ javaScript });
    const main = page.getByRole("main");
    await page.goto(`${app.url}/en/pricing`);
    await main.getByText("nothing is added at checkout").waitFor();
    await page.goto(`${taxed.url}/en/pricing`);
    await main.getByText("Where tax applies, you see it before you pay.").waitFor();
    for (const path of ["", "/pricing", "/checkout/start?type=pack"]) {
      await page.goto(`${taxed.url}/en${path}`);
      expect(await main.getByText("nothing is added").count()).toBe(0);
    }
  });

  test(`${mode}: whoever creates an account sees what they accept, and can read it`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/sign-up`);
    const words = page.getByText("By creating an account you accept");
    await words.waitFor();
    for (const [name, path] of [
      ["terms", "terms"],
      ["privacy policy", "privacy"],
    ] as const)
      expect(await words.getByRole("link", { name }).getAttribute("href")).toBe(`/en/${path}`);
    await words.getByRole("link", { name: "terms" }).click();
    await page.getByRole("heading", { level: 1, name: "Terms of use" }).waitFor();
  });
}
