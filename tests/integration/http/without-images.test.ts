import { expect, test } from "vitest";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import { LOCALES, type Locale } from "~/i18n/locale";
import { PUBLIC_PAGES } from "~/public-pages";
import { translatorOf } from "../../fixtures/languages";
import { createClient } from "../../helpers/client";
import { PAGE_PATHS } from "../../helpers/page-paths";
import { withPaymentServer } from "../../helpers/with-payment-server";

const MORE = { NEXT_PUBLIC_ENABLE_PAYMENTS: "true", DEVELOPER_SECTION: "true" };
const app = withPaymentServer("stripe", MORE);

/** Pages of an account. Files speak of the images that a person uploads. */
const ACCOUNT_PAGES = PAGE_PATHS.filter((path) => path.startsWith("/en/account"));

/** The words that the action itself uses for what it makes, such as "image", "images" and "Images". */
function imageWords(locale: Locale): RegExp {
  const t = translatorOf(locale);
  const { name, units } = ACTION_VIEWS.image.words;
  const texts = [t(name), t(units, { count: 1 }), t(units, { count: 2 })];
  const words = texts.map((text) => text.replace(/[\d\s]/g, ""));
  return new RegExp(words.join("|"), "i");
}

/** Returns the words of a page that a person reads or hears, or a search engine shows. */
function textsOf(html: string): string[] {
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = ""]) => text);
  // A single ASCII word or an address is for machines: "summary_large_image".
  const meta = all(/ content="([^"]*)"/g).filter((text) => !/^[!-~]*$/.test(text));
  const read = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, " ").split(/<[^>]*>/);
  return [
    ...read,
    ...meta,
    ...all(/ (?:alt|aria-label|title|placeholder)="([^"]*)"/g),
    ...all(/"(?:name|description)":"([^"]*)"/g),
  ].filter((text) => text.trim() !== "");
}

async function spoken(page: Response, locale: Locale): Promise<string[]> {
  const texts = textsOf(await page.text());
  expect(texts.length).toBeGreaterThan(10);
  return texts.filter((text) => imageWords(locale).test(text));
}

test("the words are found where there are images, in every language", async () => {
  const server = await app.startAnother({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });
  try {
    for (const locale of LOCALES)
      for (const path of ["", "/pricing"])
        expect(await spoken(await fetch(`${server.url}/${locale}${path}`), locale)).not.toEqual([]);
  } finally {
    await server.stop();
  }
});

test.each(LOCALES.flatMap((locale) => PUBLIC_PAGES.map(({ path }) => [locale, path] as const)))(
  "without images, no text of the public page /%s%s speaks of them",
  async (locale, path) => {
    const page = await createClient(app.url).fetch(`/${locale}${path}`);
    expect(page.status).toBe(200);
    expect(await spoken(page, locale)).toEqual([]);
  },
);

test("without images, no page of a customer's account speaks of them", async () => {
  const { person, webhooks } = await app.buy("plan");
  for (const webhook of webhooks) await app.deliver(webhook);
  const shown: string[] = [];
  for (const locale of LOCALES)
    for (const path of ACCOUNT_PAGES.map((each) => each.replace("/en/", `/${locale}/`))) {
      const page = await person.fetch(path);
      if (page.status !== 200 || !page.headers.get("content-type")?.includes("html")) continue;
      shown.push(path);
      const texts = (await spoken(page, locale)).map((text) => `${path}: ${text}`);
      expect.soft(texts).toEqual([]);
    }
  expect(shown.length).toBeGreaterThan(4 * LOCALES.length);
});
