import { chromium, type Page } from "playwright-core";
import { ensureChromium } from "../../test/ensure-chromium";
import { withBareApp } from "./bare-app";
import { type Bench, type BenchContext, type Figure, inTurns } from "./bench";
import { signUp, startOurs } from "./our-server";

const ROUNDS = 5;
/** The pages that a stranger sees first, and those of a signed-in person. */
const PAGES = [
  { path: "/en", isSignedIn: false },
  { path: "/en/pricing", isSignedIn: false },
  { path: "/en/sign-in", isSignedIn: false },
  { path: "/en/account", isSignedIn: true },
  { path: "/en/files", isSignedIn: true },
  { path: "/en/demo/image-generator", isSignedIn: true },
];

/** A phone on slow 4G, as Lighthouse throttles: 150 ms per round trip, 1.6 Mbit/s, a quarter of the speed. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER_CPU = 4;

/** The paints that are measured, by their names in figures; the largest has no goal. */
const PAINTS = { first: { atMost: 1 }, largest: null } as const;

/** Compares the first and the largest contentful paint of pages with those of the bare page. */
export const paintBench: Bench = {
  summary:
    "first and largest contentful paint on a throttled profile, compared with the bare page; needs Chromium",
  async run(context) {
    let executablePath: string;
    try {
      executablePath = ensureChromium();
    } catch (error) {
      context.onProgress(`skipped: ${(error as Error).message}`);
      return [];
    }
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
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
      const session = await signUp(ours);
      const figures: Figure[] = [];
      for (const { path, isSignedIn } of PAGES) {
        const cookie = isSignedIn ? session : null;
        for (const paint of ["first", "largest"] as const) {
          onProgress(`${path}, ${paint} paint`);
          const times = await inTurns({
            rounds: ROUNDS,
            measure: () => timeOf(paint, { openPage, url: ours.url + path, cookie }),
            reference: () => timeOf(paint, { openPage, url: `${bare.url}/`, cookie }),
          });
          const what = `${paint} paint of ${path}`;
          const against = "the bare page";
          figures.push({ what, against, unit: "ms", goal: PAINTS[paint], ...times });
        }
      }
      return figures;
    } finally {
      await Promise.all([ours.stop(), bare.stop()]);
    }
  });
}

interface Visit {
  openPage: () => Promise<Page>;
  url: string;
  /** The cookie of a session; null for a visitor who is signed out. */
  cookie: string | null;
}

/** Opens the address with an empty cache. Returns milliseconds until the paint. */
async function timeOf(
  paint: keyof typeof PAINTS,
  { openPage, url, cookie }: Visit,
): Promise<number> {
  const page = await openPage();
  const context = page.context();
  try {
    if (cookie) {
      const [name = "", value = ""] = cookie.split("=", 2);
      await context.addCookies([{ name, value, url }]);
    }
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", NETWORK);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_CPU });
    await page.goto(url, { waitUntil: "load" });
    return await page.evaluate(PAINT_TIMES[paint]);
  } finally {
    await context.close();
  }
}

/** Run in the page, so as texts: this file's compiler may add names that a page doesn't have. */
const PAINT_TIMES = {
  first: `new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === "first-contentful-paint") resolve(startTime);
    }).observe({ type: "paint", buffered: true });
  })`,
  // The last one reported when the page has loaded.
  largest: `new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: "largest-contentful-paint", buffered: true });
  })`,
};
