import { test } from "vitest";
import { credits, MIDDLE_PACK } from "../../fixtures/sold";
import { withBrowser } from "../../helpers/browser";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("creem", {
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "Credits <credits@example.com>",
});
const browser = withBrowser();

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a buyer whose address is not verified is led from the prices to the profile`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/sign-up?redirectTo=/en/pricing`);
    await page.getByLabel("Email address").fill(`unverified-${javaScript}@example.com`);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: `Buy ${credits(MIDDLE_PACK.credits)}` }).click();
    await page.getByText("Verify your email address first. Nothing was charged").waitFor();
    await page.getByRole("link", { name: "Verify your email address" }).click();
    await page.getByText("Not verified").waitFor();
  });
}
