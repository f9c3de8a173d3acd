import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { type ShownPage, VISITORS } from "../../../tests/helpers/story/pages";
import type { Site } from "./site";

export const THEMES = ["light", "dark"] as const;
export type ShownTheme = (typeof THEMES)[number];

const HEIGHT = 800;
const README_BYTES = 150 * 1024;

export interface View {
  theme: ShownTheme;
  language: string;
  width: number;
}

export interface Shots {
  site: Site;
  browser: Browser;
}

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Photographs each page from top to bottom as `<folder>/<page>-<language>-<theme>-<width>.png`. */
export async function photograph(
  { site, browser }: Shots,
  { pages, view, folder }: { pages: ShownPage[]; view: View; folder: string },
): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const visitor of VISITORS) {
    const mine = pages.filter((page) => page.visitor === visitor);
    if (mine.length === 0) continue;
    const context = await openContext(browser, { site, visitor, view });
    const page = await context.newPage();
    for (const { name, path: at } of mine) {
      await page.goto(`${site.url}/${view.language}${at}`, { waitUntil: "load" });
      await loadPictures(page);
      const file = `${name}-${view.language}-${view.theme}-${view.width}.png`;
      await page.screenshot({
        path: path.join(folder, file),
        fullPage: true,
        animations: "disabled",
      });
    }
    await context.close();
  }
  return pages.length;
}

/** Loads the pictures below the window, too, which a browser loads once somebody scrolls to them. */
async function loadPictures(page: Page): Promise<void> {
  const pictures = page.locator("img[loading=lazy]");
  await pictures.evaluateAll((images) => {
    for (const image of images) (image as HTMLImageElement).loading = "eager";
  });
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
}

/** Photographs the top of three pages for the README, as WebP of at most 150 KiB. */
export async function photographForReadme(
  { site, browser }: Shots,
  { pages, folder }: { pages: ShownPage[]; folder: string },
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const wanted = [
    { name: "home", theme: "light" },
    { name: "create-done", theme: "dark" },
    { name: "account", theme: "light" },
  ] as const;
  const files: string[] = [];
  for (const { name, theme } of wanted) {
    const page = pages.find((listed) => listed.name === name);
    if (!page) throw new Error(`there is no page ${name}`);
    const view = { theme, language: "en", width: 1280 };
    const context = await openContext(browser, { site, visitor: page.visitor, view });
    const tab = await context.newPage();
    await tab.goto(`${site.url}/en${page.path}`, { waitUntil: "load" });
    const png = await tab.screenshot({ animations: "disabled" });
    await context.close();
    const webp = await sharp(png).webp({ quality: 82 }).toBuffer();
    if (webp.length > README_BYTES) throw new Error(`${name}: ${webp.length} bytes are too many`);
    const file = path.join(folder, `${name}.webp`);
    await writeFile(file, webp);
    files.push(file);
  }
  return files;
}

async function openContext(
  browser: Browser,
  { site, visitor, view }: { site: Site; visitor: ShownPage["visitor"]; view: View },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: HEIGHT },
    colorScheme: view.theme,
    reducedMotion: "reduce",
    locale: view.language,
  });
  const cookie = site.cookies[visitor];
  if (cookie) await context.addCookies([{ ...cookie, url: site.url }]);
  return context;
}
