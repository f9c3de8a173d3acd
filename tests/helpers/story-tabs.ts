import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { addAxe } from "./axe";
import { launchBrowser, noteErrors } from "./browser";
import { type ShownPage, VISITORS, type Visitor } from "./story/pages";
import type { withStorySite } from "./with-story-site";

/** A tab of the browser that shows one page of the site. */
export interface StoryTab {
  page: Page;
  /** Opens the page in this language. */
  show(locale: string): Promise<void>;
  /** Errors that the page has logged. */
  errors: string[];
}

interface KeptTab {
  page: Page;
  errors: string[];
}

/** The tabs of one visitor that no test uses now. */
interface Seat {
  context: BrowserContext;
  free: KeptTab[];
}

async function openTab({ context }: Seat): Promise<KeptTab> {
  const page = await context.newPage();
  const errors: string[] = [];
  noteErrors(page, (error) => errors.push(error));
  return { page, errors };
}

/**
 * One Chromium with one context for each visitor. Tabs are used again: a new one costs as much as three
 * pages, and a context keeps the style sheet and the pictures. Motion is reduced, and axe is there.
 */
export function withStoryTabs(site: ReturnType<typeof withStorySite>) {
  let browser: Browser;
  const seats = new Map<Visitor, Seat>();
  beforeAll(async () => {
    browser = await launchBrowser();
    for (const visitor of VISITORS) {
      const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
      await addAxe(context);
      await site.enterAs(visitor, context);
      seats.set(visitor, { context, free: [] });
    }
  });
  afterAll(() => browser.close());
  /** Calls `use` with a tab for the page. Several can be in use at the same time. */
  return async (
    { visitor, path }: Pick<ShownPage, "visitor" | "path">,
    use: (tab: StoryTab) => Promise<void>,
  ) => {
    const seat = seats.get(visitor) as Seat;
    const tab = seat.free.pop() ?? (await openTab(seat));
    const show = async (locale: string) => {
      await tab.page.goto(`${site.app.url}/${locale}${path}`);
    };
    await use({ ...tab, show });
    tab.errors.length = 0;
    seat.free.push(tab);
  };
}
