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
import { type Person, signUp } from "./client";
import { elementsTooWide } from "./page-checks";

/** 1280 px at a zoom of 400 %, and so 640 px at 200 %. */
export const NARROW = { width: 320, height: 640 };

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  // One process where Chromium would have three or more: a tenth less time in the browser tests.
  "--in-process-gpu",
  "--disable-site-isolation-trials",
  "--renderer-process-limit=1",
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
        reducedMotion: "reduce",
      });
      contexts.push(context);
      const page = await context.newPage();
      noteErrors(page, (error) => errors.push(error));
      return page;
    },
  };
}

/**
 * Gives the page's browser a new person's session, and returns the person. The form of the sign-up has its
 * own tests.
 */
export async function enter(page: Page, baseUrl: string): Promise<Person> {
  const person = await signUp(baseUrl);
  const cookies = person
    .cookie()
    .split("; ")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return { name, value: value.join("="), url: baseUrl };
    });
  await page.context().addCookies(cookies);
  return person;
}

/** Fails if the page scrolls sideways on a narrow screen. Most pages are seen by `access.test.ts`: this is for states on the way. */
export async function expectNarrow(page: Page): Promise<void> {
  const usual = page.viewportSize();
  await page.setViewportSize(NARROW);
  expect(await page.evaluate(elementsTooWide)).toEqual([]);
  if (usual) await page.setViewportSize(usual);
}

/** Presses the link or button and returns the bytes that the browser saved. */
export async function download(
  page: Page,
  name: string,
  role: "link" | "button" = "link",
): Promise<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "download-"));
  try {
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole(role, { name }).click(),
    ]);
    const file = path.join(folder, "file");
    await saved.saveAs(file);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Goes to another page from one that refreshes itself, which interrupts whoever leaves at that moment. */
export async function leaveFor(page: Page, url: string): Promise<void> {
  await page.goto(url).catch(() => page.goto(url));
}
