import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE, PRODUCT_NAME } from "~/catalog";
import { credits } from "../fixtures/sold";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { giveCredits } from "../helpers/ledger";
import { inOneWay } from "../helpers/runs";
import { withImageServer } from "../helpers/with-image-server";

const app = withImageServer();
const browser = withBrowser();

const ENOUGH = 10 * CREDITS_PER_IMAGE;

async function openCreate(javaScript: boolean): Promise<{ page: Page; email: string }> {
  const page = await browser.open({ javaScript });
  const { email } = await enter(page, app.url);
  await giveCredits(app, email, ENOUGH);
  await page.goto(`${app.url}/en/demo/image-generator`);
  return { page, email };
}

const promptField = (page: Page) => page.getByLabel("What do you want to see?");

async function generate(page: Page, prompt: string, count = "1 image"): Promise<void> {
  await promptField(page).fill(prompt);
  await page.getByRole("radio", { name: count }).check();
  await page.getByRole("button", { name: /^Generate/ }).click();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name });
const ready = (page: Page) => heading(page, "Your image is ready").waitFor();
/** The accessible name of what has the focus. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

for (const javaScript of inOneWay(true)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: what failed is in the heading, with its credits`, async () => {
    const { page } = await openCreate(javaScript);
    await app.images.order({ provider: "fal", fault: "partial" });
    await generate(page, "A flock of birds", "2 images");
    await heading(
      page,
      `1 image made. 1 failed, and its ${credits(CREDITS_PER_IMAGE)} are back.`,
    ).waitFor();
    await expectNarrow(page);
  });

  test(`${mode}: an old result states no present balance, and its prompt can be used again beside it`, async () => {
    const { page } = await openCreate(javaScript);
    const left = `${credits(CREDITS_PER_IMAGE)}, ${ENOUGH - CREDITS_PER_IMAGE} left`;
    await generate(page, "A tall ship");
    await ready(page);
    await page.getByText(left, { exact: true }).waitFor();
    const again = page.getByRole("link", { name: "Use this prompt again" });
    expect(await again.count()).toBe(0);
    await generate(page, "A small boat");
    await page
      .getByText("A small boat, image")
      .or(page.getByAltText(/A small boat/))
      .first()
      .waitFor();
    await page
      .getByRole("link", { name: /A tall ship/ })
      .last()
      .click();
    await page.getByAltText("A tall ship, image 1").waitFor();
    expect(await page.getByText(left, { exact: true }).count()).toBe(0);
    await promptField(page).fill("Something else");
    await again.click();
    await page.getByAltText("A tall ship, image 1").waitFor();
    await expect.poll(() => promptField(page).inputValue()).toBe("A tall ship");
    expect(await heading(page, "Not sure where to begin?").count()).toBe(0);
  });

  test(`${mode}: an earlier prompt fills the form with its settings, and the images stay`, async () => {
    const { page } = await openCreate(javaScript);
    await generate(page, "A green door", "2 images");
    await heading(page, "Your 2 images are ready").waitFor();
    await generate(page, "A blue door");
    await page.getByAltText("A blue door, image 1").waitFor();
    await page.getByText("Earlier prompts").click();
    await page.locator(".prompts").getByRole("link", { name: "A green door" }).click();
    await page.getByAltText("A blue door, image 1").waitFor();
    await expect.poll(() => promptField(page).inputValue()).toBe("A green door");
    expect(await page.getByRole("radio", { name: "2 images" }).isChecked()).toBe(true);
  });

  test(`${mode}: a request that another service took over says so`, async () => {
    const { page } = await openCreate(javaScript);
    await app.images.order({ provider: "fal", fault: "401" });
    await generate(page, "A stone bridge");
    await ready(page);
    await page
      .getByText("Made by Replicate: fal didn’t answer, and that cost you nothing")
      .waitFor();
  });

  test(`${mode}: the title tells when the images are ready`, async () => {
    const { page } = await openCreate(javaScript);
    await app.images.order({ provider: "fal", fault: "slow", delayMs: 4_000 });
    await generate(page, "A slow snail");
    await expect.poll(() => page.title()).toBe(`Generating… · Create · ${PRODUCT_NAME}`);
    await expect.poll(() => page.title()).toBe(`(1) ready · Create · ${PRODUCT_NAME}`);
  });

  test(`${mode}: the gallery finds images by their prompts`, async () => {
    const { page } = await openCreate(javaScript);
    await generate(page, "A Red Kite");
    await ready(page);
    await page.getByRole("searchbox", { name: "Search your prompts" }).fill("red k");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page
      .locator(".gallery")
      .getByRole("link", { name: /A Red Kite/ })
      .waitFor();
    await page.getByRole("searchbox", { name: "Search your prompts" }).fill("100%_");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("No image has “100%_” in its prompt.").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await page
      .locator(".gallery")
      .getByRole("link", { name: /A Red Kite/ })
      .waitFor();
  });
}

test("the focus goes to the canvas while images are made and when they are done", async () => {
  const { page } = await openCreate(true);
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 4_000 });
  await generate(page, "A patient heron");
  await expect.poll(() => focused(page)).toBe("Generating 1 image");
  await ready(page);
  await expect.poll(() => focused(page)).toBe("Your image is ready");
});

test("who went on elsewhere while images were made keeps the focus there", async () => {
  const { page } = await openCreate(true);
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 4_000 });
  await generate(page, "A quiet heron");
  await page.getByText("You can leave this page.").waitFor();
  await promptField(page).focus();
  await ready(page);
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

test("Ctrl+Enter sends the form", async () => {
  const { page } = await openCreate(true);
  await page.waitForLoadState("networkidle");
  await promptField(page).fill("A quick hare");
  await promptField(page).press("Control+Enter");
  await ready(page);
});

test("a prompt can't be typed longer than it may be", async () => {
  const { page } = await openCreate(false);
  expect(Number(await promptField(page).getAttribute("maxlength"))).toBeGreaterThan(0);
});
