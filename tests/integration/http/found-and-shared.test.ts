import { expect, onTestFinished, test } from "vitest";
import { CURRENCY, PRODUCT_NAME } from "~/catalog";
import { DEFAULT_LOCALE, LOCALES } from "~/i18n/locale";
import { PUBLIC_PAGES, pageUrl } from "~/public-pages";
import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import { ACTION_APIS } from "~/server/openapi/action-apis";
import { LAST_LOCALE, OTHER_LOCALE } from "../../fixtures/languages";
import { credits, MIDDLE_PACK, written } from "../../fixtures/sold";
import { createClient, signUp } from "../../helpers/client";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", { NEXT_PUBLIC_ENABLE_PAYMENTS: "true" });

const EVERY_ACTION = {
  NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
  NEXT_PUBLIC_ENABLE_TEXT_GENERATION: "true",
};
/** The routes that llms.txt names. */
const KEY_ROUTES = /^- \[([A-Z]+ [^\]]+)\]/gm;

const textAt = async (path: string) => (await createClient(app.url).fetch(path)).text();
const all = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, found]) => found);
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"/>`).exec(html)?.[1];

test.each(PUBLIC_PAGES.map(({ path }) => path))(
  "the public page %j says its address, its other languages, what it is about and how it looks when shared",
  async (path) => {
    const html = await textAt(`/${OTHER_LOCALE}${path}?utm_source=mail`);
    const url = `${app.url}/${OTHER_LOCALE}${path}`;
    expect(all(html, /<link rel="canonical" href="([^"]+)"/g)).toEqual([url]);
    expect(metaOf(html, "og:url")).toBe(url);
    expect(all(html, /<link rel="alternate" hrefLang="([^"]+)"/g)).toEqual([
      ...LOCALES,
      "x-default",
    ]);
    expect(metaOf(html, "description")?.length).toBeGreaterThan(20);
    expect(metaOf(html, "og:title")?.length).toBeGreaterThan(3);
    expect(metaOf(html, "og:locale")).toMatch(new RegExp(`^${OTHER_LOCALE}_[A-Z]{2}$`));
    expect(metaOf(html, "twitter:card")).toBe("summary_large_image");
    expect(html).not.toContain('content="noindex"');
    const image = await fetch(metaOf(html, "og:image") ?? "");
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
  },
);

test("no two public pages of a language share a description", async () => {
  const htmls = await Promise.all(PUBLIC_PAGES.map(({ path }) => textAt(`/${LAST_LOCALE}${path}`)));
  const descriptions = htmls.map((html) => metaOf(html, "description"));
  expect(new Set(descriptions).size).toBe(PUBLIC_PAGES.length);
});

test.each(["/en/account", "/en/account/credits", "/en/files", "/en/checkout/success"])(
  "search engines may not list %s",
  async (path) => {
    const person = await signUp(app.url);
    const html = await (await person.fetch(path)).text();
    expect(metaOf(html, "robots")).toBe("noindex");
    expect(html).not.toContain('rel="canonical"');
  },
);

test.each(["/en/forgot-password", "/en/nowhere", "/nowhere"])(
  "search engines may not list %s, which is no page to arrive at",
  async (path) => {
    expect(metaOf(await textAt(path), "robots")).toBe("noindex");
  },
);

test("the pricing page lists its offers for search engines", async () => {
  const html = await textAt("/en/pricing");
  const [json = ""] = all(html, /<script type="application\/ld\+json">([^<]+)<\/script>/g);
  expect(JSON.parse(json)).toMatchObject({
    "@type": "Product",
    url: `${app.url}/en/pricing`,
    offers: expect.arrayContaining([
      expect.objectContaining({
        name: credits(MIDDLE_PACK.credits),
        price: written(MIDDLE_PACK.amount).split(" ")[0],
        priceCurrency: CURRENCY.toUpperCase(),
      }),
    ]),
  });
});

test("the sitemap lists each public page in each language, and each of them is there", async () => {
  const response = await fetch(`${app.url}/sitemap.xml`);
  expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  const urls = all(await response.text(), /<loc>([^<]+)<\/loc>/g);
  expect(urls).toHaveLength(PUBLIC_PAGES.length * LOCALES.length);
  const statuses = await Promise.all(
    urls.map(async (url = "") => (await fetch(url, { redirect: "manual" })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("robots.txt names the sitemap and closes the API", async () => {
  const response = await fetch(`${app.url}/robots.txt`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toContain("Disallow: /api/\n");
  expect(text).toContain(`Sitemap: ${app.url}/sitemap.xml\n`);
});

test("llms.txt leads to every public page, and to every route that takes an API key", async () => {
  const { url, stop } = await app.startAnother(EVERY_ACTION);
  onTestFinished(stop);
  const response = await fetch(`${url}/llms.txt`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text.split("\n").slice(0, 3)).toEqual([
    `# ${PRODUCT_NAME}`,
    "",
    expect.stringMatching(/^> \w/),
  ]);
  const links = all(text, /^- \[[^\]]+\]\(([^)]+)\): \S/gm);
  const pages = PUBLIC_PAGES.map(({ path }) => pageUrl(url, DEFAULT_LOCALE, path));
  expect([...new Set(links)]).toEqual([...pages, `${url}/api/openapi.json`]);
  const keyRoutes = Object.entries(ROUTE_LIMITS).flatMap(([route, limit]) =>
    "keys" in limit ? [route] : [],
  );
  expect(all(text, KEY_ROUTES).sort()).toEqual(keyRoutes.sort());
});

test("llms.txt names no route of an action that is off", async () => {
  const named = all(await textAt("/llms.txt"), KEY_ROUTES);
  const off = Object.values(ACTION_APIS).flatMap(({ paths }) => Object.keys(paths));
  expect(named.filter((route) => off.some((path) => route?.endsWith(` ${path}`)))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});

test("the manifest's icons and the pages' icons exist, and a browser may load the manifest", async () => {
  const response = await fetch(`${app.url}/manifest.webmanifest`);
  expect(response.headers.get("content-type")).toBe("application/manifest+json");
  const { icons } = (await response.json()) as { icons: { src: string }[] };
  const page = await fetch(`${app.url}/en`);
  expect(page.headers.get("content-security-policy")).toContain("manifest-src 'self'");
  const links = (await page.text()).match(/<link [^>]*>/g) ?? [];
  const linked = links
    .filter((link) => / rel="(?:icon|apple-touch-icon)"/.test(link))
    .map((link) => / href="([^"]+)"/.exec(link)?.[1] ?? "");
  expect(linked.length).toBeGreaterThan(2);
  for (const src of [...icons.map((icon) => icon.src), ...linked]) {
    expect([src, (await fetch(app.url + src)).status]).toEqual([src, 200]);
  }
});

test("a client that has one of these documents gets a 304", async () => {
  for (const path of ["/robots.txt", "/llms.txt", "/sitemap.xml", "/manifest.webmanifest"]) {
    const tag = (await fetch(app.url + path)).headers.get("etag") ?? "";
    const again = await fetch(app.url + path, { headers: { "If-None-Match": tag } });
    expect([path, again.status]).toEqual([path, 304]);
  }
});
