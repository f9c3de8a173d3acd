import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { RateLimitName } from "~/server/limits/rate-limit-rules";
import { enter, expectNarrow, withBrowser } from "../../helpers/browser";
import { requestUpload } from "../../helpers/upload";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", { RATE_LIMIT_SCALE: "1" });
const browser = withBrowser();

/** Uses up the limit of the person, or of their sessions. */
async function useUp(limit: RateLimitName, email: string): Promise<void> {
  await app.sql(
    `INSERT INTO rate_limits (key, count, expires_at)
     SELECT $1 || ':' || CASE WHEN $1 LIKE '%-session' THEN s.id ELSE u.id END, 1000, now() + interval '1 hour'
     FROM users u JOIN sessions s ON s.user_id = u.id WHERE email = $2`,
    [limit, email],
  );
}

/** Presses the button and returns the status of the form's response. */
async function press(page: Page, button: string | RegExp): Promise<number> {
  const [reply] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return reply.status();
}

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a form beyond its limit leads to a page that says so`, async () => {
    const page = await browser.open({ javaScript });
    const { email } = await enter(page, app.url);
    await page.goto(`${app.url}/en/account/profile`);
    await useUp("form-session", email);
    await page.getByLabel("Name").fill("Ada");
    expect(await press(page, "Save")).toBe(429);
    await page.getByRole("heading", { name: "That was too much at once" }).waitFor();
    await page.getByText(/nothing was changed\. Try again in \d+ minutes/).waitFor();
    await expectNarrow(page);
  });

  test(`${mode}: the files page says that too many uploads were confirmed`, async () => {
    const page = await browser.open({ javaScript });
    const person = await enter(page, app.url);
    await requestUpload(person, { filename: "late.png" });
    await page.goto(`${app.url}/en/files`);
    if (javaScript) await page.locator("input[type=file][multiple]").waitFor();
    await useUp("confirm-upload-user", person.email);
    expect(await press(page, "Finish upload of late.png")).toBe(429);
    await page.getByText(/Too many attempts\. Nothing was changed\. Try again in/).waitFor();
  });

  test(`${mode}: the pages for a plan say that too much was asked, and that nothing was charged`, async () => {
    const page = await browser.open({ javaScript });
    const person = await enter(page, app.url);
    const { webhooks } = await app.buy("plan", { person });
    for (const webhook of webhooks) await app.deliver(webhook);
    await useUp("portal-user", person.email);
    await useUp("cancel-resume-user", person.email);
    const refused = page.getByText("Too many attempts. Nothing was charged.");
    await page.goto(`${app.url}/en/account/billing`);
    expect(await press(page, /^Open Stripe/)).toBe(429);
    await refused.waitFor();
    await page.getByRole("link", { name: "Cancel" }).click();
    expect(await press(page, /^Cancel plan on/)).toBe(429);
    await refused.waitFor();
  });
}
