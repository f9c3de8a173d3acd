import { afterAll, beforeAll, expect, test } from "vitest";
import { LAST_LOCALE, OTHER_LOCALE } from "../../fixtures/languages";
import { type Client, signUp } from "../../helpers/client";
import { createTestDatabase } from "../../helpers/test-database";
import { startTestServer, type TestServer } from "../../helpers/test-server";

// Two servers on one database: one renders pages directly, one hands every request to Remix.
let direct: TestServer;
let remix: TestServer;
let ada: Client;

beforeAll(async () => {
  const DATABASE_URL = await createTestDatabase();
  direct = await startTestServer({ DATABASE_URL, DIRECT_RENDERING: "true" });
  remix = await startTestServer({
    DATABASE_URL,
    DIRECT_RENDERING: "false",
    NEXT_PUBLIC_SITE_URL: direct.url,
  });
  ada = await signUp(direct.url);
});

const PATHS = [
  "/en/account",
  `/${LAST_LOCALE}/account/credits`,
  "/en/account/credits?kind=image",
  "/en/account/profile",
  `/${OTHER_LOCALE}/account/security`,
];

const get = ({ url }: TestServer, path: string, cookie = ada.cookie()) =>
  fetch(url + path, { headers: { Cookie: cookie }, redirect: "manual" });

/** Leaves out what differs between two renderings, and how React separates texts. */
const comparable = (html: string) =>
  html
    .replace(/ nonce="[^"]*"/g, "")
    .replace(/<!--[ $/]*-->/g, "")
    // A chart ends now, which moves its dates.
    .replace(/\.\d+%/g, "%")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id");

test.each(PATHS)("%s is the document that Remix's own handler makes", async (path) => {
  const [ours, theirs] = [await get(direct, path), await get(remix, path)];
  expect(comparable(await ours.text())).toBe(comparable(await theirs.text()));
  const differing = ["x-request-id", "content-security-policy", "date", "content-length"];
  const shared = ({ headers }: Response) =>
    [...headers].filter(([name]) => !differing.includes(name));
  expect(shared(ours)).toEqual(shared(theirs));
});

test("a page with a query has it in its links to other languages", async () => {
  const html = await (await get(direct, "/en/account/credits?kind=image")).text();
  expect(html).toContain(`href="/${OTHER_LOCALE}/account/credits?kind=image"`);
});

test("a visitor without a session is sent to sign in, as by Remix", async () => {
  for (let visit = 0; visit < 2; visit++) {
    const [ours, theirs] = [
      await get(direct, "/en/account", ""),
      await get(remix, "/en/account", ""),
    ];
    expect([ours.status, ours.headers.get("location")]).toEqual([
      theirs.status,
      theirs.headers.get("location"),
    ]);
  }
});

test("HEAD has the headers of the page and no body", async () => {
  const head = await ada.fetch("/en/account", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
});

// Last, since it stops both.
test("the pages above were rendered directly, and the server counts them and what it left to Remix", async () => {
  await Promise.all([direct.stop(), remix.stop()]);
  const counts = ({ logs }: TestServer) =>
    logs.find(({ msg }) => msg === "pages rendered directly");
  expect(counts(direct)).toMatchObject({ direct: PATHS.length + 1, leftToRemix: 2 });
  expect(counts(remix)).toMatchObject({ direct: 0, leftToRemix: 0 });
  const left = direct.logs.filter(({ msg }) => msg === "a page is left to Remix");
  expect(left).toMatchObject([
    {
      page: "/en/account",
      reason: "the loader of routes/$locale.account._index threw a response of status 302",
    },
  ]);
});

afterAll(async () => {
  await Promise.all([direct.stop(), remix.stop()]);
});
