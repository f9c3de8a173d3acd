import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { ACTIONS, CREDITS_PER_IMAGE, creditsFor } from "~/catalog";
import { type ImageSandbox, startImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import { credits, PACK, shown } from "../fixtures/sold";
import { enter, expectNarrow, withBrowser } from "../helpers/browser";
import { giveCredits } from "../helpers/ledger";
import { inOneWay } from "../helpers/runs";
import { withPaymentServer } from "../helpers/with-payment-server";

let images: ImageSandbox;
const app = withPaymentServer("stripe", async () => {
  images = await startImageSandbox({ port: 0 });
  return images.env;
});
afterAll(() => images.stop());
const browser = withBrowser();

const MOST = ACTIONS.image.mostUnits;

async function openWith(page: Page, balance: number): Promise<void> {
  const { email } = await enter(page, app.url);
  if (balance > 0) await giveCredits(app, email, balance);
  await page.goto(`${app.url}/en/demo/image-generator`);
}

const choose = (page: Page, count: number) =>
  page.getByRole("radio", { name: count === 1 ? "1 image" : `${count} images` }).check();
const generate = (page: Page) => page.getByRole("button", { name: /^Generate/ });
const note = (page: Page, text: string) => page.getByText(text, { exact: true });

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: the form says what is left after the click, for the chosen number`, async () => {
    const page = await browser.open({ javaScript });
    await openWith(page, creditsFor("image", MOST));
    for (const count of [1, MOST]) {
      await choose(page, count);
      const left = creditsFor("image", MOST) - creditsFor("image", count);
      await note(page, `${credits(creditsFor("image", count))}, ${left} left after`).waitFor();
    }
    expect(await page.getByText("left after").filter({ visible: true }).count()).toBe(1);
  });
}

for (const javaScript of inOneWay(true)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a refused form keeps its number, and its note stays right`, async () => {
    const page = await browser.open({ javaScript });
    const balance = creditsFor("image", MOST) - 1;
    await openWith(page, balance);
    await page.getByLabel("What do you want to see?").fill("A cat");
    await choose(page, MOST);
    await generate(page).click();
    await page.getByRole("heading", { name: "You need 1 more credit" }).waitFor();
    await page.getByText(`You have ${balance}. 1 short.`).filter({ visible: true }).waitFor();
    await choose(page, 1);
    const left = balance - CREDITS_PER_IMAGE;
    await note(page, `${credits(CREDITS_PER_IMAGE)}, ${left} left after`).waitFor();
  });
}

for (const javaScript of inOneWay(false)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: credits that are missing are said before the click, with the way to more`, async () => {
    const page = await browser.open({ javaScript });
    const balance = creditsFor("image", MOST) - 1;
    await openWith(page, balance);
    await choose(page, 1);
    expect(
      await page
        .getByText(/short\./)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    await choose(page, MOST);
    const short = page.getByText(`You have ${balance}. 1 short.`).filter({ visible: true });
    await expectNarrow(page);
    await short.getByRole("button", { name: "Buy credits" }).click();
    await page.getByRole("heading", { name: "Credit packs" }).waitFor();
  });

  test(`${mode}: without credits, buying is the only primary action`, async () => {
    const page = await browser.open({ javaScript });
    await openWith(page, 0);
    await page
      .getByText(
        `${credits(PACK.credits)} for ${shown(PACK.amount, { short: true })} would cover it.`,
      )
      .waitFor();
    const primary = page.locator("main .btn:not(.btn-2, .btn-3, .btn-icon)");
    expect(await primary.allTextContents()).toEqual(["Buy credits"]);
  });
}
