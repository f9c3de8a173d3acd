import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { download, enter, expectNarrow, withBrowser } from "../../helpers/browser";
import { giveCredits } from "../../helpers/ledger";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();
const browser = withBrowser();

async function openCreate(javaScript: boolean): Promise<Page> {
  const page = await browser.open({ javaScript });
  const { email } = await enter(page, app.url);
  await giveCredits(app, email, 10 * CREDITS_PER_IMAGE);
  await page.goto(`${app.url}/en/demo/image-generator`);
  return page;
}

async function generate(page: Page, prompt: string): Promise<void> {
  await page.getByLabel("What do you want to see?").fill(prompt);
  await page.getByRole("button", { name: /^Generate/ }).click();
  await page.getByAltText(`${prompt}, image 1`).waitFor();
}

const addressOf = async (page: Page) =>
  (await page.locator(".results figure > a").first().getAttribute("href")) ?? "";
const statusOf = async (url: string) => (await fetch(url)).status;

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: an image that is public can be made private, and public again`, async () => {
    const page = await openCreate(javaScript);
    await page
      .getByText("New images are public: anyone with an image’s link can see it.")
      .waitFor();
    await generate(page, "A harbour at night");
    const before = await addressOf(page);
    expect(await statusOf(before)).toBe(200);
    await expectNarrow(page);
    await page.getByRole("button", { name: "Make private: Image 1" }).click();
    await page.getByText("The image is private now. Its old link no longer works.").waitFor();
    expect(await statusOf(before)).toBe(404);
    const signed = new URL(await addressOf(page));
    expect(signed.searchParams.has("X-Amz-Signature")).toBe(true);
    await page.getByRole("button", { name: "Make public: Image 1" }).click();
    await page.getByText("The image is public now: anyone with its link can see it.").waitFor();
    const after = await addressOf(page);
    expect(after).not.toBe(before);
    expect(await statusOf(after)).toBe(200);
  });

  test(`${mode}: all images can be made private, and new ones from the start`, async () => {
    const page = await openCreate(javaScript);
    await generate(page, "A first lake");
    const before = await addressOf(page);
    await page.getByRole("link", { name: "Change who can see them" }).click();
    await page.getByText("1 public image, 0 private images.").waitFor();
    await expectNarrow(page);
    await page.getByRole("button", { name: "Make all private" }).click();
    await page.getByText("Done. Your images have changed.").waitFor();
    expect(await statusOf(before)).toBe(404);
    await page.getByRole("button", { name: "Make new images private" }).click();
    await page.getByText("Images you create from now on are private.").first().waitFor();
    await page.goto(`${app.url}/en/demo/image-generator`);
    await page.getByText("New images are private: only you can open them.").waitFor();
    await generate(page, "A second lake");
    expect(new URL(await addressOf(page)).searchParams.has("X-Amz-Signature")).toBe(true);
    await page.getByRole("button", { name: "Make public: Image 1" }).waitFor();
  });

  test(`${mode}: a generated file is named from its prompt, and deleting it stays in Create`, async () => {
    const page = await openCreate(javaScript);
    await generate(page, "A harbour, at night");
    await page.goto(`${app.url}/en/files`);
    const name = /^a-harbour-at-night-1\.(png|jpg|webp)$/;
    await page.getByRole("link", { name }).waitFor();
    await page.getByRole("img", { name: "A harbour, at night" }).waitFor();
    await page.getByRole("link", { name: /^Delete a-harbour/ }).click();
    await page.getByRole("img", { name: "A harbour, at night" }).waitFor();
    await page.getByRole("link", { name: "Keep it" }).click();
    await page.goto(`${app.url}/en/demo/image-generator`);
    await page
      .locator(".gallery")
      .getByRole("link", { name: /A harbour/ })
      .click();
    await page.getByRole("link", { name: "Delete image 1" }).click();
    await page.getByText("Delete image 1? It will be gone for good.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/en/demo/image-generator");
    await page.getByRole("button", { name: "Delete image 1" }).click();
    await page.getByText("The image is deleted.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/en/demo/image-generator");
  });

  test(`${mode}: selected images are downloaded as one archive, and deleted together`, async () => {
    const page = await openCreate(javaScript);
    await generate(page, "A twin lake");
    await page.goto(`${app.url}/en/demo/image-generator`);
    await generate(page, "A twin lake!");
    await generate(page, "A lone tree");
    await page.goto(`${app.url}/en/demo/image-generator`);
    for (const prompt of ["A twin lake", "A twin lake!"])
      await page.getByRole("checkbox", { name: `Select “${prompt}”` }).check();
    await expectNarrow(page);
    const zip = await download(page, "Download as zip", "button");
    expect(zip.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    const names = zip
      .toString("latin1")
      .match(/a-twin-lake-1( \(2\))?\.(png|jpg|webp)(?=PK|$|[^"])/g);
    expect(new Set(names).size).toBe(2);
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("heading", { name: "Delete these 2 images?" }).waitFor();
    await page.getByText("A twin lake!").waitFor();
    await page.getByRole("button", { name: "Delete 2 images" }).click();
    await page.getByText("The images are deleted.").waitFor();
    await page
      .locator(".gallery")
      .getByRole("link", { name: /A lone tree/ })
      .waitFor();
    expect(await page.locator(".gallery").getByRole("link").count()).toBe(1);
  });
}

test("a zip of somebody else's images has none of them", async () => {
  const page = await openCreate(false);
  await generate(page, "A secret garden");
  const id = new URL(page.url()).searchParams.get("generation");
  const stranger = await openCreate(false);
  await stranger.goto(`${app.url}/en/demo/image-generator/download?id=${id}`);
  await stranger.getByText("Select images first").waitFor();
  await stranger.goto(`${app.url}/en/demo/image-generator/delete?id=${id}`);
  await stranger.getByText("Select images first").waitFor();
});
