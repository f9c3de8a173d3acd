import { expect, test } from "vitest";
import { COOKIE_EFFECTS } from "~/server/http/page-cache/cookie-effects";
import { OTHER_LOCALE } from "../../fixtures/languages";
import { PASSWORD, signUp } from "../../helpers/client";
import { readBytes } from "../../helpers/read-bytes";
import { listCached } from "../../helpers/route-list";
import { startTestServer } from "../../helpers/test-server";
import { withTurnstile } from "../../helpers/turnstile-control";
import { withMailServer } from "../../helpers/with-mail-server";

const turnstile = withTurnstile();
// Only the last test's server has the challenge.
const app = withMailServer(async () => {
  await turnstile.start();
  return {};
});

const PATHS = [...listCached({ pages: true }), "/en/nothing", "/nothing"];

type Send = (path: string) => Promise<Response>;
const visitor: Send = (path) => fetch(app.url + path, { redirect: "manual" });

interface Seen {
  path: string;
  status: number;
  caching: string | null;
  tag: string | null;
  text: string;
}

async function see(send: Send, path: string): Promise<Seen> {
  const response = await send(path);
  const { status, headers } = response;
  const [caching, tag] = [headers.get("cache-control"), headers.get("etag")];
  return { path, status, caching, tag, text: await response.text() };
}

/** Pages of a person with a session: none from our cache, none that another cache may store, no other person's. */
function expectPersonal(pages: Seen[], email: string, others: string[]): void {
  for (const { path, caching, tag, text } of pages) {
    expect([path, caching, tag]).toEqual([path, "no-store", null]);
    for (const other of others) expect([path, text.includes(other)]).toEqual([path, false]);
  }
  // The frame names the account; pages for visitors alone redirect, and unknown languages have no frame.
  const framed = pages.filter(({ path, status }) => status !== 302 && path !== "/nothing");
  expect(framed.length).toBeGreaterThan(10);
  for (const { path, text } of framed) expect([path, text.includes(email)]).toEqual([path, true]);
}

/** Pages of a visitor: from the cache, and without anybody's name. */
function expectPublic(pages: Seen[], emails: string[]): void {
  for (const { path, caching, text } of pages) {
    expect([path, caching]).toEqual([path, "public, max-age=0, must-revalidate"]);
    for (const email of emails) expect([path, text.includes(email)]).toEqual([path, false]);
    expect([path, text.includes("/sign-out")]).toEqual([path, false]);
  }
}

test("two users and a visitor at the same time, in both orders: nobody sees another's page", async () => {
  const [ann, bob] = [await signUp(app.url), await signUp(app.url)];
  const emails = [ann.email, bob.email];
  const walk = async (send: Send, paths: string[]) => {
    const pages: Seen[] = [];
    for (const path of paths) pages.push(await see(send, path));
    return pages;
  };
  const backwards = [...PATHS].reverse();
  // The first requests of all: some page is rendered for memory while a user waits for the same one.
  for (const [forAnn, forBob, forVisitor] of [
    [PATHS, PATHS, PATHS],
    [backwards, PATHS, backwards],
    [PATHS, backwards, PATHS],
  ] as const) {
    const [anns, bobs, visitors] = await Promise.all([
      walk((path) => ann.fetch(path), forAnn),
      walk((path) => bob.fetch(path), forBob),
      walk(visitor, forVisitor),
    ]);
    expectPersonal(anns, ann.email, [bob.email]);
    expectPersonal(bobs, bob.email, [ann.email]);
    expectPublic(visitors, emails);
  }
});

test("one browser that signs in and out sees its own page each time", async () => {
  const person = await signUp(app.url);
  const pages = async () => Promise.all(PATHS.map((path) => see((at) => person.fetch(at), path)));
  expectPersonal(await pages(), person.email, []);
  await person.post("/en/sign-out", {});
  // It still has the cookies of its device and of its last way in.
  const after = await pages();
  expectPublic(
    after.filter(({ path }) => !path.endsWith("/sign-in")),
    [person.email],
  );
  const signIn = after.filter(({ path }) => path.endsWith("/sign-in"));
  expect(signIn.map(({ caching }) => caching)).toEqual(signIn.map(() => "no-store"));
  await person.post("/en/sign-in", { email: person.email, password: PASSWORD });
  expectPersonal(await pages(), person.email, []);
});

test.each([...COOKIE_EFFECTS.keys()])(
  "no page from the cache lacks what the cookie %s shows",
  async (name) => {
    const value = name === "last-way" ? "InBhc3N3b3JkIg==" : "x";
    for (const path of PATHS) {
      const get = async (cookie: string) =>
        (await fetch(app.url + path, { headers: { Cookie: cookie } })).text();
      const own = `${name}=${value}`;
      expect([path, await get(own)]).toEqual([path, await get(`session=ended; ${own}`)]);
    }
  },
);

test("the mark of the last way in is never cached", async () => {
  const marked = await fetch(`${app.url}/en/sign-in`, {
    headers: { Cookie: "last-way=InBhc3N3b3JkIg==" },
  });
  const mark = "Last used";
  expect([await marked.text(), marked.headers.get("cache-control")]).toEqual([
    expect.stringContaining(mark),
    "no-store",
  ]);
  expect(await (await visitor("/en/sign-in")).text()).not.toContain(mark);
});

test("foreign cookies and either theme get the page from the cache; an invented theme gets the usual one", async () => {
  const tagOf = async (cookie: string) => {
    const reply = await fetch(`${app.url}/en`, { headers: { Cookie: cookie } });
    return reply.headers.get("etag");
  };
  const usual = await tagOf("_ga=GA1.1.1; consent=yes");
  expect(usual).not.toBeNull();
  for (const theme of ["light", "dark"]) expect(await tagOf(`theme=${theme}`)).not.toBeNull();
  expect(await tagOf("theme=evil")).toBe(usual);
});

test.each([
  "/EN",
  "/en/",
  "/en/PRICING",
  "/en/%70ricing",
  "/%65n",
  "/en/..%2fpricing",
  "/en/%2e%2e/es",
  "/en//pricing",
  "//en",
  "/en/./pricing",
  "/en/../es",
  "/en\\pricing",
  "/en.data",
  "/en/nothing.data",
  "/_root.data",
  "/__manifest",
  "/en?",
  "/en?x=1",
  "/en/nothing?x=1",
  "/en;a=1",
  "/en/account/nothing",
  "/xx/pricing",
  "/en/%00",
  "/en/%ff",
  "/en/sign-in/code",
  "/assets/nothing.js",
  "/favicon.svg",
  "/api/nothing",
  "/api/OpenAPI.json",
])("%s gets from the cache what Remix would respond, or nothing", async (target) => {
  const [plain, live] = [
    await readBytes(app.url, target),
    await readBytes(app.url, target, { Cookie: "session=ended" }),
  ];
  const seen = ({ status, headers, body }: typeof plain) => {
    const policy = String(headers["content-security-policy"]);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "no nonce";
    const text = `${body}`.replaceAll(nonce, "");
    return [status, headers.location, headers["content-type"], text];
  };
  expect(seen(plain)).toEqual(seen(live));
});

test("a page with the bot challenge has a fresh nonce each time, and is never cached", async () => {
  const env = { DATABASE_URL: app.databaseUrl, ...app.mailEnv, ...turnstile.env() };
  const server = await startTestServer(env);
  try {
    for (const path of ["/en/sign-up", `/${OTHER_LOCALE}/forgot-password`]) {
      const nonces = [];
      for (let visit = 0; visit < 3; visit++) {
        const page = await fetch(server.url + path);
        expect([path, page.headers.get("cache-control")]).toEqual([path, "no-store"]);
        const policy = page.headers.get("content-security-policy") ?? "";
        const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
        expect(await page.text()).toContain(`nonce="${nonce}"`);
        nonces.push(nonce);
      }
      expect([path, new Set(nonces).size]).toEqual([path, 3]);
    }
  } finally {
    await server.stop();
  }
});
