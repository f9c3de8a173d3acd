import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { credits } from "../fixtures/sold";
import { download, enter, leaveFor, withBrowser } from "../helpers/browser";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { inOneWay } from "../helpers/runs";
import { storeImageRuns } from "../helpers/stored-image-runs";
import { withImageServer } from "../helpers/with-image-server";

const app = withImageServer();
const browser = withBrowser();

async function enterWith(page: Page, count: number): Promise<string> {
  const { email } = await enter(page, app.url);
  if (count > 0) await giveCredits(app, email, count);
  await page.goto(`${app.url}/en/demo/image-generator`);
  return email;
}

async function fill(page: Page, prompt: string, count: string): Promise<void> {
  await promptField(page).fill(prompt);
  await page.getByRole("radio", { name: count }).check();
}

const promptField = (page: Page) => page.getByLabel("What do you want to see?");
const generateButton = (page: Page) => page.getByRole("button", { name: /^Generate/ });
const done = (page: Page, title: string) => page.getByRole("heading", { name: title }).waitFor();

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: generate two images, reload, go back and resend: charged once`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterWith(page, 50);
    await fill(page, "A lighthouse at dusk", "2 images");
    await generateButton(page).click();
    await done(page, "Your 2 images are ready");
    await page
      .getByText(`${credits(2 * CREDITS_PER_IMAGE)}, ${50 - 2 * CREDITS_PER_IMAGE} left`)
      .waitFor();
    const images = page.getByRole("img", { name: /A lighthouse at dusk, image \d/ });
    expect(await images.count()).toBe(2);
    for (const image of await images.all()) {
      await expect
        .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    }

    await page.reload();
    await done(page, "Your 2 images are ready");
    await page.goBack();
    await page.getByRole("heading", { name: "Create", level: 1 }).waitFor();
    // Without JavaScript the form comes back as it was sent, key included. With it, the form is
    // new.
    if (!javaScript) {
      await fill(page, "A lighthouse at dusk", "2 images");
      await generateButton(page).click();
      await done(page, "Your 2 images are ready");
    }
    expect(await ledgerOf(app, email)).toEqual([
      ["adjustment", 50],
      ["deduction", -2 * CREDITS_PER_IMAGE],
    ]);
  });
}

for (const javaScript of inOneWay(true)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a failure says that nothing was charged, and the history keeps it`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterWith(page, 50);
    await fill(page, "Something forbidden", "1 image");
    await app.images.order({ provider: "fal", fault: "refusal" });
    await generateButton(page).click();
    await done(page, "We can’t generate this prompt");
    await page.getByText("It breaks the content rules of the image service.").waitFor();
    await page
      .getByText(
        `You weren’t charged. Your ${credits(CREDITS_PER_IMAGE)} are back, and you have 50.`,
      )
      .waitFor();
    await page.goto(`${app.url}/en/demo/image-generator`);
    const failed = page.getByRole("link", { name: /Failed, not charged Something forbidden/ });
    await page.getByRole("heading", { name: "No images yet" }).waitFor();
    expect(await failed.count()).toBe(0);
    await page.getByRole("link", { name: "Show 1 that failed" }).click();
    await failed.waitFor();
    await page.goto(`${app.url}/en/account/credits`);
    const run = page.getByRole("row").filter({ has: page.locator("details") });
    await run.locator("summary").click();
    await run.getByText("Given back").waitFor();
    await page.getByRole("img", { name: /It went from/ }).waitFor();
    expect(await ledgerOf(app, email)).toHaveLength(3);
    await expectSoundLedger(app);
  });

  test(`${mode}: a visitor who leaves while images are made comes back to them`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterWith(page, 50);
    await fill(page, "A patient cat", "2 images");
    await app.images.order({ provider: "fal", fault: "slow", delayMs: 12_000 });
    await generateButton(page).click();
    await page.getByText("You can leave this page.").waitFor();
    await leaveFor(page, `${app.url}/en/account`);
    await page.goto(`${app.url}/en/demo/image-generator`);
    await page.getByRole("heading", { name: "Generating 2 images" }).waitFor();
    await page.getByRole("timer").waitFor();
    // Without a script the page refreshes itself.
    await done(page, "Your 2 images are ready");
    expect(await ledgerOf(app, email)).toEqual([
      ["adjustment", 50],
      ["deduction", -2 * CREDITS_PER_IMAGE],
    ]);
  });

  test(`${mode}: download an image, and delete it`, async () => {
    const page = await browser.open({ javaScript });
    await enterWith(page, 50);
    await fill(page, "A round cat", "1 image");
    await generateButton(page).click();
    await done(page, "Your image is ready");
    const copy = page.getByRole("button", { name: "Copy link of image 1" });
    expect(await copy.count()).toBe(javaScript ? 1 : 0);
    expect((await download(page, "Download image 1")).subarray(1, 4).toString()).toBe("PNG");
    await page.getByRole("link", { name: "Delete image 1" }).click();
    await page.getByRole("button", { name: "Delete image 1" }).click();
    await page.getByText("The image is deleted.").waitFor();
    await page.getByRole("heading", { name: "No images yet" }).waitFor();
  });
}

for (const javaScript of inOneWay(false)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: too few credits and an empty prompt are said beside the form`, async () => {
    const page = await browser.open({ javaScript });
    await enterWith(page, 0);
    await fill(page, "A cat", "1 image");
    await generateButton(page).click();
    await page.getByText("You weren’t charged, and your prompt is still here.").waitFor();
    await page
      .getByRole("heading", { name: `You need ${CREDITS_PER_IMAGE} more credits` })
      .waitFor();
    expect(await promptField(page).inputValue()).toBe("A cat");
    await promptField(page).fill("   ");
    await generateButton(page).click();
    await page.getByText("Describe what you want to see.").waitFor();
    await expect
      .poll(() => promptField(page).evaluate((field) => field === document.activeElement))
      .toBe(true);
  });

  test(`${mode}: an example fills the form`, async () => {
    const page = await browser.open({ javaScript });
    await enterWith(page, 50);
    await page.getByRole("link", { name: "a Bauhaus poster of circles and squares" }).click();
    await expect
      .poll(() => promptField(page).inputValue())
      .toBe("a Bauhaus poster of circles and squares");
  });
}

test("with JavaScript the page stays open and shows progress", async () => {
  const page = await browser.open({ javaScript: true });
  await enterWith(page, 50);
  await fill(page, "A slow cat", "1 image");
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 3_000 });
  await page.waitForLoadState("networkidle");
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await generateButton(page).click();
  await page.getByRole("button", { name: "Generating 1 image…" }).waitFor();
  await done(page, "Your image is ready");
  expect(loads).toBe(0);
});

test("the gallery has pages", async () => {
  const page = await browser.open({ javaScript: false });
  const email = await enterWith(page, 0);
  const images = [{ url: "https://example.com/gone.png", persisted: false, fileId: null }];
  await storeImageRuns(
    app,
    email,
    Array.from({ length: 10 }, (_, at) => {
      const createdAt = new Date(Date.now() + at * 1_000);
      return { prompt: `picture ${at + 1}`, status: "settled" as const, images, createdAt };
    }),
  );
  await page.reload();
  await page.getByText("1–8 of 10").waitFor();
  await page.getByRole("link", { name: "picture 10" }).waitFor();
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByText("9–10 of 10").waitFor();
  await page.getByRole("link", { name: /picture 1 / }).waitFor();
  await page.getByRole("link", { name: "Newer" }).click();
  await page.getByText("Page 1 of 2").waitFor();
});

test("another person's result is not shown", async () => {
  const page = await browser.open({ javaScript: false });
  await enterWith(page, 50);
  await fill(page, "My own cat", "1 image");
  await generateButton(page).click();
  await done(page, "Your image is ready");
  const address = page.url();
  const stranger = await browser.open({ javaScript: false });
  await enterWith(stranger, 0);
  await stranger.goto(address);
  expect(await stranger.getByText("My own cat").count()).toBe(0);
});
