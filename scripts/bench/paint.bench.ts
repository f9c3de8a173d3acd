import { chromium, type Page } from "playwright-core";
import { withBareApp } from "./bare-app";
import { type Bench, type BenchContext, type Figure, inTurns } from "./bench";
import { signUp, startOurs } from "./our-server";

const ROUNDS = 5;
const PATHS = ["/en", "/en/pricing", "/en/account", "/en/files", "/en/demo/image-generator"];

/** A phone on slow 4G, as Lighthouse throttles: 150 ms per round trip, 1.6 Mbit/s, a quarter of the speed. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER_CPU = 4;

/** Compares the first contentful paint of pages with that of the bare page. */
export const paintBench: Bench = {
  summary:
    "first contentful paint on a throttled profile, compared with the bare page; needs Chromium",
  async run(context) {
    const browser = await chromium
      .launch({ executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox"] })
      .catch(() => null);
    if (!browser) {
      context.onProgress("skipped: found no Chromium; CHROMIUM_PATH names one");
      return [];
    }
    try {
      return await measurePaints(context, async () => (await browser.newContext()).newPage());
    } finally {
      await browser.close();
    }
  },
};

function measurePaints(
  { server, onProgress }: BenchContext,
  openPage: () => Promise<Page>,
): Promise<Figure[]> {
  return withBareApp(async (bareApp) => {
    const url = await server.createDatabase();
    const [ours, bare] = [await startOurs(url), await bareApp.start(url)];
    try {
      const cookie = await signUp(ours);
      const figures: Figure[] = [];
      for (const path of PATHS) {
        onProgress(path);
        const times = await inTurns({
          rounds: ROUNDS,
          measure: () => firstPaint(openPage, ours.url + path, cookie),
          reference: () => firstPaint(openPage, `${bare.url}/`, cookie),
        });
        const what = `first paint of ${path}`;
        figures.push({ what, against: "the bare page", unit: "ms", goal: { atMost: 1 }, ...times });
      }
      return figures;
    } finally {
      await Promise.all([ours.stop(), bare.stop()]);
    }
  });
}

/** Opens the address with an empty cache. Returns milliseconds until the first contentful paint. */
async function firstPaint(
  openPage: () => Promise<Page>,
  url: string,
  cookie: string,
): Promise<number> {
  const page = await openPage();
  const context = page.context();
  try {
    const [name = "", value = ""] = cookie.split("=", 2);
    await context.addCookies([{ name, value, url }]);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", NETWORK);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_CPU });
    await page.goto(url, { waitUntil: "load" });
    return await page.evaluate(PAINT_TIME);
  } finally {
    await context.close();
  }
}

/** Runs in the page, so as text: this file's compiler may add names that a page doesn't have. */
const PAINT_TIME = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name === "first-contentful-paint") resolve(startTime);
  }).observe({ type: "paint", buffered: true });
})`;
