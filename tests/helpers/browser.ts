import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts Chromium for tests. */
export const launchBrowser = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ARGS, ...options });

/** Calls `note` with each error that a page logs. */
export function noteErrors(page: Page, note: (error: string) => void): void {
  page.on("pageerror", (error) => note(String(error)));
  page.on("console", (message) => {
    // The browser itself logs every 4xx, even one that a test expects.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      note(message.text());
    }
  });
}

interface BrowserUnderTest {
  /** Opens a page as a new visitor: no cookies, with or without JavaScript. */
  open(options: { javaScript: boolean; width?: number }): Promise<Page>;
}

/**
 * One Chromium for all tests of a file. An error logged by a page fails the test. Playwright turns
 * off the cache of pages for the Back button; `backForwardCache` leaves it on.
 */
export function withBrowser({ backForwardCache = false } = {}): BrowserUnderTest {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser(
      backForwardCache ? { ignoreDefaultArgs: ["--disable-back-forward-cache"] } : {},
    );
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(errors.splice(0), "errors in the browser's console").toEqual([]);
  });
  afterAll(() => browser.close());
  return {
    async open({ javaScript, width = 1280 }) {
      const context = await browser.newContext({
        javaScriptEnabled: javaScript,
        viewport: { width, height: 900 },
        acceptDownloads: true,
        locale: "en-GB",
      });
      contexts.push(context);
      const page = await context.newPage();
      noteErrors(page, (error) => errors.push(error));
      return page;
    },
  };
}

/** Follows the link and returns the bytes that the browser saved. */
export async function download(page: Page, linkName: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "download-"));
  try {
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: linkName }).click(),
    ]);
    const file = path.join(folder, "file");
    await saved.saveAs(file);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
