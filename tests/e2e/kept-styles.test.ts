import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { withBrowser } from "../helpers/browser";
import { byRun } from "../helpers/runs";
import { withImageServer } from "../helpers/with-image-server";

// Kept pages have the rules they use in themselves. A rule that is missing there shows as a difference
// from the same page under the whole style sheet.
const app = withImageServer();
const browser = withBrowser();

const PATHS = byRun({
  few: ["", "/pricing"],
  many: ["", "/forgot-password", "/pricing", "/privacy", "/sign-in", "/sign-up", "/nowhere"],
});

/** Of 255. Chromium smooths an edge a little differently now and then. */
const UNSEEN = 8;

const picture = (page: Page) => page.screenshot({ fullPage: true, animations: "disabled" });

/** Returns the greatest difference of a colour in one place; all of it if the sizes differ. */
async function difference(one: Buffer | undefined, other: Buffer): Promise<number> {
  if (one?.equals(other)) return 0;
  const [a, b] = await Promise.all(
    [one, other].map((image) => image && sharp(image).raw().toBuffer({ resolveWithObject: true })),
  );
  if (!a || !b || a.info.width !== b.info.width || a.info.height !== b.info.height) return 255;
  return a.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (b.data[at] ?? 0))), 0);
}

/** Puts the whole style sheet behind the page's own rules. */
async function addWholeSheet(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="prefetch"][as="style"]');
    if (!link) throw new Error("the page has no rules of its own");
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = link.href;
    await new Promise((resolve, reject) => {
      sheet.onload = resolve;
      sheet.onerror = reject;
      document.head.append(sheet);
    });
    document.querySelector("style")?.remove();
  });
}

const VIEWS = [
  { width: 390, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

async function pictures(page: Page): Promise<Buffer[]> {
  const taken: Buffer[] = [];
  for (const { width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    taken.push(await picture(page));
  }
  return taken;
}

test.each(PATHS)(
  "on a phone in light and on a desk in dark, /en%s looks as under the whole style sheet",
  async (path) => {
    const page = await browser.open({ javaScript: true });
    await page.goto(`${app.url}/en${path}`, { waitUntil: "networkidle" });
    await openMenus(page);
    const own = await pictures(page);
    await addWholeSheet(page);
    for (const [at, whole] of (await pictures(page)).entries())
      expect(await difference(own[at], whole)).toBeLessThan(UNSEEN);
  },
);

/** Opens all that visitors can open without a script. */
const openMenus = (page: Page) =>
  page.evaluate(() => {
    for (const menu of document.querySelectorAll("details")) menu.open = true;
  });

test("a filled field and the focus look as under the whole style sheet", async () => {
  const page = await browser.open({ javaScript: true });
  await page.goto(`${app.url}/en/sign-in`, { waitUntil: "networkidle" });
  await page.getByLabel("Email address").fill("no address");
  await page.getByLabel("Password").focus();
  const own = await picture(page);
  await addWholeSheet(page);
  expect(await difference(own, await picture(page))).toBeLessThan(UNSEEN);
});

test("the page that follows takes the style sheet from the browser's cache", async () => {
  const page = await browser.open({ javaScript: false });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  const isFromCache: boolean[] = [];
  devtools.on("Network.responseReceived", ({ response }) => {
    if (response.url.endsWith(".css"))
      isFromCache.push(Boolean(response.fromDiskCache || response.fromPrefetchCache));
  });
  await page.goto(`${app.url}/en`, { waitUntil: "networkidle" });
  // A page with a query is not kept, and has no rules of its own.
  await page.goto(`${app.url}/en/pricing?from=home`, { waitUntil: "networkidle" });
  expect(isFromCache).toEqual([false, true]);
});
