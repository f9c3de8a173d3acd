import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { LOCALE_NAMES } from "~/i18n/locale";
import { OTHER_LOCALE, translatorOf } from "../fixtures/languages";
import { download, enter, withBrowser } from "../helpers/browser";
import { PASSWORD } from "../helpers/client";
import { inOneWay, PLAIN_PAGE_MODES } from "../helpers/runs";
import { PDF, PNG, pngOfSize } from "../helpers/sample-files";
import { signOut } from "../helpers/signed-in";
import { withTestServer } from "../helpers/with-test-server";

const app = withTestServer();
const browser = withBrowser();
const MEGABYTE = 1024 * 1024;

async function enterAndOpenFiles(page: Page): Promise<string> {
  const { email } = await enter(page, app.url);
  await page.goto(`${app.url}/en/files`);
  return email;
}

async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await send(page, { name, mimeType, buffer });
}

/** Chooses the file, given with its bytes or by its path, and presses the button. */
async function send(page: Page, file: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
  await page.getByLabel("Drop files here, or choose them").setInputFiles(file);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
}

/** Writes a file of this size: by its path it comes to the browser faster than by its bytes. Returns the path. */
async function writeBig(bytes: number): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "big-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "big.png");
  await writeFile(file, pngOfSize(bytes));
  return file;
}

/** Waits until the form is React's: until then the browser posts it. */
const hydratedForm = (page: Page) => page.locator("input[type=file][multiple]").waitFor();

const row = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });

for (const javaScript of [false, true]) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: upload a PNG and a PDF, see them, get them back byte for byte, delete one`, async () => {
    const page = await browser.open({ javaScript });
    await enterAndOpenFiles(page);
    await page.getByRole("heading", { name: "No files yet" }).waitFor();

    await choose(page, "cat.png", "image/png", PNG);
    await row(page, "cat.png").waitFor();
    await choose(page, "paper.pdf", "application/pdf", PDF);
    await row(page, "paper.pdf").waitFor();

    expect((await download(page, "Download cat.png")).equals(PNG)).toBe(true);
    expect((await download(page, "Download paper.pdf")).equals(PDF)).toBe(true);

    await page.getByRole("link", { name: "Delete cat.png" }).click();
    await page.getByText("cat.png will be gone for good.").waitFor();
    await page.getByRole("button", { name: "Delete file" }).click();
    await page.getByText("The file is deleted.").waitFor();
    expect(await row(page, "cat.png").count()).toBe(0);
    expect(await row(page, "paper.pdf").count()).toBe(1);
  });

  test(`${mode}: a file whose content is not its type is refused, in words`, async () => {
    const page = await browser.open({ javaScript });
    await enterAndOpenFiles(page);
    await choose(page, "cat.png", "image/png", Buffer.from("not a picture at all"));
    await page.getByText("The file’s content doesn’t match its type").waitFor();
    expect(await row(page, "cat.png").count()).toBe(0);
  });
}

for (const javaScript of inOneWay(true)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: files are narrowed to a kind and shown as tiles or lines by links`, async () => {
    const page = await browser.open({ javaScript });
    await enterAndOpenFiles(page);
    for (const [name, type, bytes] of [
      ["cat.png", "image/png", PNG],
      ["paper.pdf", "application/pdf", PDF],
    ] as const) {
      await choose(page, name, type, bytes);
      await row(page, name).waitFor();
    }
    await page.getByText("2 files, ").waitFor();
    await page.getByRole("link", { name: "PDFs 1" }).click();
    await page.getByRole("link", { name: "List", exact: true }).click();
    await row(page, "paper.pdf").waitFor();
    expect(await row(page, "cat.png").count()).toBe(0);
    expect(new URL(page.url()).search).toBe("?kind=documents&view=list");
    await page.getByRole("link", { name: "Public 0" }).click();
    await page.getByText("No files of this kind.").waitFor();
  });
}

for (const javaScript of inOneWay(false)) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  // The second file is refused before it is read, while the browser is still sending it.
  test.each([10 * MEGABYTE + 1, 30 * MEGABYTE])(
    `${mode}: a file of %i bytes is refused, in words`,
    async (bytes) => {
      const page = await browser.open({ javaScript });
      await enterAndOpenFiles(page);
      if (javaScript) await hydratedForm(page);
      await send(page, await writeBig(bytes));
      // The server stops reading at the limit, so only a script knows how large the file is.
      const text = javaScript ? " MB; the limit is 10 MB." : "Choose a file of up to 10 MB";
      await page.getByText(text).waitFor();
      expect(await app.sql("SELECT id FROM files WHERE filename = 'big.png'")).toEqual([]);
    },
  );
}

for (const javaScript of PLAIN_PAGE_MODES) {
  const mode = javaScript ? "with JavaScript" : "without JavaScript";

  test(`${mode}: a wrong sign-in says so beside the form and keeps the address`, async () => {
    const page = await browser.open({ javaScript });
    await page.goto(`${app.url}/en/sign-in`);
    await page.getByLabel("Email address").fill("nobody@example.com");
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page
      .getByRole("alert")
      .getByText("The email address or the password is wrong.")
      .waitFor();
    expect(await page.getByLabel("Email address").inputValue()).toBe("nobody@example.com");
    // A server never sends a password back; typed text stays only if the page wasn't left.
    if (!javaScript) expect(await page.getByLabel("Password").inputValue()).toBe("");
  });

  test(`${mode}: signing in leads back to the page that asked for it, and out again`, async () => {
    const page = await browser.open({ javaScript });
    const email = await enterAndOpenFiles(page);
    await signOut(page);
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
    await page.goto(`${app.url}/en/files`);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Files", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/en/files");
  });
}

test("with JavaScript the bytes go straight to the store and the page is not left", async () => {
  const page = await browser.open({ javaScript: true });
  await enterAndOpenFiles(page);
  await hydratedForm(page);
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET")
      requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await choose(page, "cat.png", "image/png", PNG);
  await row(page, "cat.png").waitFor();
  expect(requests).toEqual([
    "POST /api/storage/upload",
    expect.stringMatching(/^PUT \/sandbox\/private\/.*\.png$/),
    "POST /api/storage/confirm",
  ]);
});

test("with JavaScript an upload shows its progress, can be cancelled, and tried again", async () => {
  const page = await browser.open({ javaScript: true });
  await enterAndOpenFiles(page);
  await hydratedForm(page);
  let held = true;
  const waiting: (() => void)[] = [];
  await page.route(/X-Amz-Signature/, async (route) => {
    if (held) await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue().catch(() => undefined);
  });
  await choose(page, "cat.png", "image/png", PNG);
  await page.getByRole("progressbar", { name: "Upload of cat.png" }).waitFor();
  await page.getByRole("button", { name: "Stop uploading cat.png" }).click();
  await page.getByText("You stopped this upload.").waitFor();
  held = false;
  for (const release of waiting) release();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Download cat.png" }).waitFor();
});

test("an upload whose page was closed before its confirmation can be finished later, without JavaScript", async () => {
  const page = await browser.open({ javaScript: false });
  await enterAndOpenFiles(page);
  const [cookie] = await page.context().cookies();
  const response = await fetch(`${app.url}/api/storage/upload`, {
    method: "POST",
    headers: { Cookie: `${cookie?.name}=${cookie?.value}` },
    body: JSON.stringify({
      filename: "late.png",
      contentType: "image/png",
      contentLength: PNG.length,
    }),
  });
  const { uploadUrl } = (await response.json()) as { uploadUrl: string };
  await fetch(uploadUrl, {
    method: "PUT",
    body: new Uint8Array(PNG),
    headers: { "Content-Type": "image/png" },
  });
  await page.reload();
  await page.getByRole("button", { name: "Finish upload of late.png" }).click();
  await page.getByText("Your file is stored.").waitFor();
  expect((await download(page, "Download late.png")).equals(PNG)).toBe(true);
});

test("the language menu keeps the page and changes every word", async () => {
  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/sign-in`);
  await page.getByRole("link", { name: LOCALE_NAMES[OTHER_LOCALE] }).click();
  await page.getByRole("heading", { name: translatorOf(OTHER_LOCALE)("signIn.welcome") }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/${OTHER_LOCALE}/sign-in`);
  expect(await page.locator("html").getAttribute("lang")).toBe(OTHER_LOCALE);
});

test("with JavaScript a file that can never pass is not offered again, and its size is said", async () => {
  const page = await browser.open({ javaScript: true });
  await enterAndOpenFiles(page);
  await hydratedForm(page);
  for (const [name, type, bytes, text] of [
    [
      "evil.exe",
      "application/x-msdownload",
      PNG,
      "Choose a JPEG, PNG, GIF, WebP, SVG or PDF file.",
    ],
    [
      "fake.png",
      "image/png",
      Buffer.from("not a picture"),
      "The file’s content doesn’t match its type",
    ],
  ] as const) {
    await choose(page, name, type, bytes);
    await page.getByText(text).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Choose another file" }).click(),
    ]);
    expect(chooser.isMultiple()).toBe(true);
    expect(await page.getByText(text).count()).toBe(0);
  }
  await send(page, await writeBig(11 * MEGABYTE));
  await page.getByText("11 MB; the limit is 10 MB.").waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

test("without JavaScript a file that can never pass leaves the choice of another", async () => {
  const page = await browser.open({ javaScript: false });
  await enterAndOpenFiles(page);
  await choose(page, "fake.png", "image/png", Buffer.from("not a picture"));
  await page.getByText("The file’s content doesn’t match its type").waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await choose(page, "cat.png", "image/png", PNG);
  await row(page, "cat.png").waitFor();
});

test("with JavaScript a file chosen after the session ended waits, and goes up after the next sign-in", async () => {
  const page = await browser.open({ javaScript: true });
  const person = await enter(page, app.url);
  await page.goto(`${app.url}/en/files`);
  await hydratedForm(page);
  await app.sql("DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = $1)", [
    person.email,
  ]);
  await choose(page, "cat.png", "image/png", PNG);
  await page.getByText("You were signed out. Sign in, which opens a new tab").waitFor();
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("main").getByRole("link", { name: "Sign in" }).click(),
  ]);
  await tab.getByLabel("Email address").fill(person.email);
  await tab.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.getByRole("heading", { name: "Files" }).first().waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Download cat.png" }).waitFor();
});
