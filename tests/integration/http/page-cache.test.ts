import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { PACKS } from "~/catalog";
import { priceNameOf } from "~/env/prices";
import { LAST_LOCALE, OTHER_LOCALE } from "../../fixtures/languages";
import { sendRaw } from "../../helpers/raw-request";
import { readBytes } from "../../helpers/read-bytes";
import { listCached } from "../../helpers/route-list";
import { startTestServer } from "../../helpers/test-server";
import { withMailServer } from "../../helpers/with-mail-server";

const PAYMENTS = {
  NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
  PAYMENTS_PROVIDER: "stripe",
  PROVIDER_A_SECRET_KEY: "sk_test_page_cache",
  PROVIDER_A_WEBHOOK_SECRET: "whsec_page_cache",
  // One pack is for sale, so that pricing describes an offer to search engines.
  [priceNameOf({ type: "pack", skuKey: PACKS[0].skuKey })]: "price_page_cache",
};
const SECURITY_CONTACT = "mailto:security@shop.example";
const app = withMailServer({ ...PAYMENTS, SECURITY_CONTACT });

const PAGES = listCached({ pages: true });
const FILES = listCached({ pages: false });
const CACHED = [...PAGES, "/en/nothing", `/${OTHER_LOCALE}/no/thing`, "/xx", "/wp.php"];
const CACHING = "public, max-age=0, must-revalidate";
/** A session that ended long ago: Remix renders the page for a visitor, and for each request. */
const LIVE = { Cookie: "session=ended" };

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(app.url + path, { redirect: "manual", ...init, headers });

const read = (path: string, headers: Record<string, string> = {}) =>
  readBytes(app.url, path, headers);

test("the pages that say sameForAll are found, the files and JSON too", () => {
  expect(PAGES).toEqual(
    expect.arrayContaining(["/en", `/${LAST_LOCALE}/pricing`, `/${OTHER_LOCALE}/terms`]),
  );
  expect(FILES).toEqual(expect.arrayContaining(["/healthz", "/robots.txt", "/api/openapi.json"]));
});

test.each(CACHED)("%s comes from the cache as Remix renders it", async (path) => {
  const [cached, live] = [await ask(path), await ask(path, LIVE)];
  expect(cached.status).toBe(live.status);
  expect(cached.headers.get("cache-control")).toBe(CACHING);
  expect(live.headers.get("cache-control")).toBe("no-store");
  expect(cached.headers.get("vary")).toBe("Accept-Encoding, Cookie");
  expect(await cached.text()).toBe(await live.text());
});

test("pricing comes from the cache with its offers for search engines", async () => {
  const page = await ask("/en/pricing");
  expect(await page.text()).toContain('<script type="application/ld+json">');
  // Only the cache gives a page a tag.
  const tag = page.headers.get("etag") ?? "";
  expect(tag).not.toBe("");
  expect((await ask("/en/pricing", { "If-None-Match": tag })).status).toBe(304);
  expect((await ask("/en/pricing", LIVE)).headers.get("etag")).toBeNull();
});

test("a page that says sameForAll reads no database, needs no session, and is the same in each process", async () => {
  const alone = await startTestServer({
    ...app.mailEnv,
    ...PAYMENTS,
    SECURITY_CONTACT,
    // Nobody listens there.
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
    // Pages name their own address, so both processes are told the same one.
    NEXT_PUBLIC_SITE_URL: app.url,
  });
  try {
    for (const path of [...PAGES, ...FILES]) {
      const here = await ask(path);
      const there = await fetch(alone.url + path, { redirect: "manual" });
      expect([path, there.status, there.headers.get("etag")]).toEqual([
        path,
        200,
        here.headers.get("etag"),
      ]);
      expect(await there.text()).toBe(await here.text());
    }
  } finally {
    await alone.stop();
  }
});

test.each([
  [undefined, undefined],
  ["identity", undefined],
  ["", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["gzip;q=0, br;q=0", undefined],
  ["*", "br"],
  ["*;q=0", undefined],
  ["identity;q=1, *;q=0.1", undefined],
  ["deflate, compress", undefined],
  [";;q=,,=x", undefined],
])("Accept-Encoding %j gets the encoding %s, and the same page", async (accepted, encoding) => {
  const sent: Record<string, string> =
    accepted === undefined ? {} : { "Accept-Encoding": accepted };
  const { headers, body } = await read("/en", sent);
  expect(headers["content-encoding"]).toBe(encoding);
  expect(headers["content-length"]).toBe(String(body.length));
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ""];
  const html = (decode ? decode(body) : body).toString();
  expect(html).toBe(await (await ask("/en", LIVE)).text());
});

test("each encoding has its own strong tag, and a 304 for that tag alone", async () => {
  const tags: string[] = [];
  for (const encoding of ["identity", "gzip", "br"]) {
    const page = await read("/en/pricing", { "Accept-Encoding": encoding });
    const tag = page.headers.etag ?? "";
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const revalidate = (value: string) =>
      read("/en/pricing", { "Accept-Encoding": encoding, "If-None-Match": value });
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const reply = await revalidate(value);
      expect([value, reply.status, reply.body.length]).toEqual([value, 304, 0]);
      for (const name of ["etag", "vary", "cache-control", "content-security-policy"])
        expect([name, reply.headers[name]]).toEqual([name, page.headers[name]]);
      expect(reply.headers["content-encoding"]).toBeUndefined();
    }
    for (const value of ['"other"', ...tags]) expect((await revalidate(value)).status).toBe(200);
    tags.push(tag);
  }
  expect(new Set(tags).size).toBe(3);
});

test("a page for an unknown address has no tag: only what exists is revalidated", async () => {
  const reply = await ask("/en/nothing", { "If-None-Match": "*" });
  expect([reply.status, reply.headers.get("etag")]).toEqual([404, null]);
});

test("HEAD has the headers of GET, and no body", async () => {
  const connections = ["connection", "date", "keep-alive", "x-request-id"];
  for (const path of ["/en", "/en/nothing", "/api/openapi.json"]) {
    const [got, head] = [await ask(path), await ask(path, {}, { method: "HEAD" })];
    expect([path, head.status, await head.text()]).toEqual([path, got.status, ""]);
    const fixed = (response: Response) =>
      [...response.headers].filter(([name]) => !connections.includes(name));
    expect(fixed(head)).toEqual(fixed(got));
  }
});

test("a page from the cache has the request's id, its line in the log, and the headers of all others", async () => {
  const page = await ask("/en/terms");
  const requestId = page.headers.get("x-request-id");
  const line = () => app.server.logs.find((entry) => entry.requestId === requestId);
  await expect.poll(line).toMatchObject({ path: "/en/terms", status: 200, method: "GET" });
  const live = await ask("/en/terms", LIVE);
  const others = ["cache-control", "content-security-policy", "etag", "vary", "x-request-id"];
  const coding = ["content-encoding", "content-length", "transfer-encoding", "date"];
  for (const [name, value] of live.headers)
    if (![...others, ...coding].includes(name))
      expect([name, page.headers.get(name)]).toEqual([name, value]);
});

/** The scripts of the cached pages that have any. */
const PAGE_SCRIPTS: Record<string, string[]> = {
  "sign-in": ["passkeys", "show-password"],
  "sign-up": ["show-password"],
};

test("no cached page allows a script but its own, by full address and without a nonce", async () => {
  for (const path of CACHED) {
    const policy = (await ask(path)).headers.get("content-security-policy") ?? "";
    const names = PAGE_SCRIPTS[path.split("/")[2] ?? ""] ?? [];
    const scripts = names.map((name) => `${app.url}/${name}.js`).join(" ") || "'none'";
    expect([path, policy]).toEqual([path, expect.stringContaining(`script-src ${scripts};`)]);
    expect(policy).not.toContain("nonce");
  }
});

test("a request with a wrong Host is refused, whatever is cached", async () => {
  await ask("/en");
  for (const hosts of [[], ["Host: a", "Host: b"], ["Host: a@b"], ["Host: a/b"]]) {
    const reply = await sendRaw(app.url, ["GET /en HTTP/1.1", ...hosts, "Connection: close"]);
    expect([hosts, reply.status]).toEqual([hosts, 400]);
  }
});

test("files and JSON come from the cache whatever the cookies and the query are", async () => {
  for (const path of ["/api/openapi.json", "/security-policy.txt", "/healthz"]) {
    const plain = await read(path);
    expect([path, plain.status]).toEqual([path, 200]);
    const odd = await read(`${path}?a=1`, LIVE);
    expect([path, odd.body.equals(plain.body)]).toEqual([path, true]);
    expect(odd.headers.vary).toBe("Accept-Encoding");
    expect(odd.headers["cache-control"]).toBe(plain.headers["cache-control"]);
  }
  const policy = (await read("/security-policy.txt")).headers;
  expect(policy["cache-control"]).toBe("public, max-age=3600");
  expect((await read("/healthz")).headers["cache-control"]).toBe("no-store");
});

test("processes with one configuration have the same tags, and a changed flag shows at once", async () => {
  const env = { DATABASE_URL: app.databaseUrl, ...app.mailEnv };
  const tagOf = async (url: string) => (await fetch(`${url}/en`)).headers.get("etag") ?? "";
  const tag = await tagOf(app.url);
  // Pages name their own address, so all processes are told the same one.
  const same = await startTestServer({ ...env, ...PAYMENTS, NEXT_PUBLIC_SITE_URL: app.url });
  try {
    expect(await tagOf(same.url)).toBe(tag);
  } finally {
    await same.stop();
  }
  const changed = await startTestServer(env);
  try {
    const reply = await fetch(`${changed.url}/en`, { headers: { "If-None-Match": tag } });
    expect(reply.status).toBe(200);
    expect(await reply.text()).not.toContain("/en/pricing");
  } finally {
    await changed.stop();
  }
});
