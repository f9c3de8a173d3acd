import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LOCALES, type Locale } from "~/i18n/locale";
import { ADMINS } from "../helpers/admins";
import { listFindings } from "../helpers/axe";
import { NARROW } from "../helpers/browser";
import {
  elementsTooWide,
  layoutShift,
  lostInForcedColors,
  runningAnimations,
  smallTargets,
} from "../helpers/page-checks";
import { byRun } from "../helpers/runs";
import { storeImageRuns } from "../helpers/stored-image-runs";
import { withStoryTabs } from "../helpers/story-tabs";
import { PAGE_NAMES, withStorySite } from "../helpers/with-story-site";

const site = withStorySite();
const openTab = withStoryTabs(site);

const WIDE = { width: 1280, height: 900 };

/** Of a page, the languages change the texts alone. */
const LANGUAGES = byRun<readonly Locale[]>({ few: ["en"], many: LOCALES });

/** The dark theme has other colours, and nothing else. */
const HAS_DARK = byRun({ few: false, many: true });

/** Up to this, no eye sees a jump. */
const UNSEEN_SHIFT = 0.01;

/**
 * Shows the page until it doesn't jump, three times at most. A machine that is busy paints half of a page
 * now and then; a page that jumps by itself does so each time.
 */
async function smallestShift(
  page: Page,
  show: () => Promise<void>,
  most = UNSEEN_SHIFT,
): Promise<number> {
  let smallest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && smallest >= most; tries += 1) {
    await show();
    smallest = Math.min(smallest, await page.evaluate(layoutShift));
  }
  return smallest;
}

/** Returns what is wrong with a page in each language; the dark theme and sizes are the same in each of them. */
async function inspect(name: string): Promise<string[]> {
  const findings: string[] = [];
  const note = (where: string, list: string[]) =>
    findings.push(...list.map((finding) => `${where}: ${finding}`));
  await openTab(site.find(name), async ({ page, show, errors }) => {
    for (const locale of LANGUAGES) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: "light" });
      const shift = await smallestShift(page, () => show(locale));
      note(`${locale}, jumps`, shift > UNSEEN_SHIFT ? [shift.toFixed(3)] : []);
      note(`${locale}, light`, await listFindings(page));
      note(`${locale}, too wide`, await page.evaluate(elementsTooWide));
      note(`${locale}, moves`, await page.evaluate(runningAnimations));
      if (locale === "en") note("too small", await page.evaluate(smallTargets));
      if (locale === "en" && HAS_DARK) {
        await page.emulateMedia({ colorScheme: "dark" });
        note("dark", await listFindings(page, "colours"));
      }
      await page.setViewportSize(NARROW);
      note(`${locale}, too wide when narrow`, await page.evaluate(elementsTooWide));
      if (locale === "en") note("too small when narrow", await page.evaluate(smallTargets));
    }
    note("logged", errors);
  });
  return findings;
}

test.each(PAGE_NAMES)(
  "%s: axe finds nothing, nothing jumps, moves or scrolls sideways, and all that can be pressed is large enough",
  async (name) => {
    expect(await inspect(name)).toEqual([]);
  },
);

test.each(["account", "credits", "create", "files", "pricing-member", "sign-in"])(
  "%s: forced colours leave every edge, every bar and the mark of each choice",
  async (name) => {
    await openTab(site.find(name), async ({ page, show }) => {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ forcedColors: "active" });
      await show("en");
      const lost = await page.evaluate(lostInForcedColors);
      await page.emulateMedia({ forcedColors: "none" });
      expect(lost).toEqual([]);
    });
  },
);

test.each(["sign-in", "security-passkeys", "credits", "create", "files"])(
  "%s: nothing moves when the scripts come after the page was painted",
  async (name) => {
    await openTab(site.find(name), async ({ page, show }) => {
      await page.setViewportSize(WIDE);
      const scripts: string[] = [];
      await page.route("**/*.js", async (route) => {
        scripts.push(route.request().url());
        await page.waitForFunction(
          () => performance.getEntriesByName("first-contentful-paint").length > 0,
        );
        await route.continue();
      });
      const shift = await smallestShift(page, () => show("en"), UNSEEN_SHIFT / 10);
      await page.unroute("**/*.js");
      expect(scripts).not.toEqual([]);
      expect(shift).toBeLessThan(UNSEEN_SHIFT / 10);
    });
  },
);

test("while images are made, axe finds nothing, and nothing moves for those who asked for that", async () => {
  const [person] = await site.app.sql<{ email: string }>(
    "SELECT email FROM users WHERE email <> ALL ($1) ORDER BY created_at DESC LIMIT 1",
    [ADMINS],
  );
  const [id] = await storeImageRuns(site.app, person?.email ?? "", [
    { prompt: "a lake", status: "reserved", n: 2 },
  ]);
  const running = {
    visitor: "empty" as const,
    path: `/demo/image-generator?generation=${id}`,
  };
  await openTab(running, async ({ page, show }) => {
    await page.setViewportSize(WIDE);
    await show("en");
    await page.getByRole("timer").waitFor();
    expect(await listFindings(page)).toEqual([]);
    await expect.poll(() => page.evaluate(runningAnimations)).toEqual([]);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await expect.poll(() => page.evaluate(runningAnimations)).toContain("shimmer");
    await page.emulateMedia({ reducedMotion: "reduce" });
  });
});
