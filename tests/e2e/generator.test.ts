import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { withBrowser } from "../helpers/browser";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { withImageServer } from "../helpers/with-image-server";

const app = withImageServer();
const browser = withBrowser();
let people = 0;

async function signUpWith(page: Page, credits: number): Promise<string> {
  const email = `artist-${people++}@example.com`;
  await page.goto(`${app.url}/en/sign-up?redirectTo=/en/demo/image-generator`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Image generator" }).waitFor();
  if (credits > 0) await giveCredits(app, email, credits);
  await page.goto(`${app.url}/en/demo/image-generator`);
  return email;
}

async function fill(page: Page, prompt: string, count: string): Promise<void> {
  await page.getByLabel("Prompt").fill(prompt);
  await page.getByLabel(count).check();
}

const generateButton = (page: Page) => page.getByRole("button", { name: "Generate" });

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: generate two images, reload, go back and resend: charged once`, async () => {
    const page = await browser.open({ javaScript });
    const email = await signUpWith(page, 50);
    await page.getByText("You have 50 credits.").waitFor();
    await fill(page, "A lighthouse at dusk", "2 images · 20 credits");
    await generateButton(page).click();
    await page.getByText("20 credits were charged.").waitFor();
    await page.getByText("You have 30 credits.").waitFor();
    const images = page.getByRole("img", { name: /Image \d for: A lighthouse/ });
    expect(await images.count()).toBe(2);
    for (const image of await images.all()) {
      await expect
        .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    }

    await page.reload();
    await page.getByText("20 credits were charged.").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Image generator" }).waitFor();
    // Without JavaScript the form comes back as it was sent, key included. With it, the form is
    // new.
    if (!javaScript) {
      await fill(page, "A lighthouse at dusk", "2 images · 20 credits");
      await generateButton(page).click();
      await page.getByText("20 credits were charged.").waitFor();
    }
    expect(await ledgerOf(app, email)).toEqual([
      ["adjustment", 50],
      ["deduction", -20],
    ]);
  });

  test(`${mode}: a failure says that nothing was charged, and the history keeps it`, async () => {
    const page = await browser.open({ javaScript });
    const email = await signUpWith(page, 50);
    await fill(page, "Something forbidden", "1 image · 10 credits");
    await app.images.order({ provider: "fal", fault: "refusal" });
    await generateButton(page).click();
    await page.getByText("The prompt is against the provider's content rules.").waitFor();
    await page.getByText("You were not charged.").waitFor();
    await page.getByText("You have 50 credits.").waitFor();
    await page.goto(`${app.url}/en/demo/image-generator`);
    await page.getByRole("link", { name: "Something forbidden" }).waitFor();
    await page.goto(`${app.url}/en/account/credits`);
    await page.getByRole("row", { name: /Refund/ }).waitFor();
    await page.getByRole("img", { name: /The balance went from/ }).waitFor();
    expect(await ledgerOf(app, email)).toHaveLength(3);
    await expectSoundLedger(app);
  });

  test(`${mode}: too few credits and an empty prompt are said beside the form`, async () => {
    const page = await browser.open({ javaScript });
    await signUpWith(page, 0);
    await fill(page, "A cat", "1 image · 10 credits");
    await generateButton(page).click();
    await page.getByText("You do not have enough credits for that.").waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("A cat");
    // The browser itself refuses an empty field.
    await page.getByLabel("Prompt").fill("   ");
    await generateButton(page).click();
    await page.getByText("Describe what you want to see.").waitFor();
    await expect
      .poll(() => page.getByLabel("Prompt").evaluate((field) => field === document.activeElement))
      .toBe(true);
  });
}

test("with JavaScript the page stays open and shows progress", async () => {
  const page = await browser.open({ javaScript: true });
  await signUpWith(page, 50);
  await fill(page, "A slow cat", "1 image · 10 credits");
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 1_000 });
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await generateButton(page).click();
  await page.getByRole("button", { name: "Generating…" }).waitFor();
  await page.getByText("10 credits were charged.").waitFor();
  expect(loads).toBe(0);
});

test("another person's result is not shown", async () => {
  const page = await browser.open({ javaScript: false });
  await signUpWith(page, 50);
  await fill(page, "My own cat", "1 image · 10 credits");
  await generateButton(page).click();
  await page.getByText("10 credits were charged.").waitFor();
  const address = page.url();
  const stranger = await browser.open({ javaScript: false });
  await signUpWith(stranger, 0);
  await stranger.goto(address);
  expect(await stranger.getByText("My own cat").count()).toBe(0);
});
