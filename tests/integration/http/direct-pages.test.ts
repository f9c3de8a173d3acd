import { beforeAll, expect, test } from "vitest";
import { OTHER_LOCALE } from "../../fixtures/languages";
import { type Client, signUp } from "../../helpers/client";
import { throughRemix } from "../../helpers/through-remix";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({
  NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
  IMAGE_PROVIDER_1_KEY: "unused",
});

let ada: Client;
let bob: Client;
beforeAll(async () => {
  ada = await signUp(app.url);
  bob = await signUp(app.url);
});

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Leaves out what differs between two renderings, and how React separates texts. */
function comparable(html: string): string {
  return html
    .replace(/ nonce="[^"]*"/g, "")
    .replace(/<!--[ $/]*-->/g, "")
    .replace(UUID, "id");
}

test.each([
  "/en/account",
  "/zh/account/credits",
  "/en/account/profile",
  `/${OTHER_LOCALE}/account/security`,
  "/en/files",
  "/en/demo/image-generator",
])("%s is the document that Remix's own handler makes", async (path) => {
  const [direct, again, remix] = [
    await ada.fetch(path),
    await ada.fetch(path),
    await ada.fetch(throughRemix(path)),
  ];
  const escaped = throughRemix(path);
  const theirs = comparable((await remix.text()).replaceAll(escaped.slice(3), path.slice(3)));
  const withoutHere = (html: string) => html.replace(/ aria-current="[^"]*"/g, "");
  const ours = comparable(await direct.text());
  expect(withoutHere(ours)).toBe(withoutHere(theirs));
  // The second time, the footer is one that was kept.
  expect(comparable(await again.text())).toBe(ours);
  const differing = ["x-request-id", "content-security-policy", "date", "content-length"];
  const shared = ({ headers }: Response) =>
    [...headers].filter(([name]) => !differing.includes(name));
  expect(shared(direct)).toEqual(shared(remix));
});

test("a kept footer brings nothing of the person before, and each theme has its own", async () => {
  const first = await (await ada.fetch("/en/account/data")).text();
  const email = /[\w-]+@example\.com/.exec(first)?.[0] ?? "";
  expect(email).not.toBe("");
  const second = await (await bob.fetch("/en/account/data")).text();
  expect(second).not.toContain(email);
  const theme = (html: string) => /value="(\w+)" aria-pressed="true"/.exec(html)?.[1];
  const dark = await fetch(`${app.url}/en/account/data`, {
    headers: { Cookie: `${bob.cookie()}; theme=dark` },
  });
  expect([theme(first), theme(second), theme(await dark.text())]).toEqual([
    "system",
    "system",
    "dark",
  ]);
});

test("a page with a query has it in its links to other languages", async () => {
  const html = await (await ada.fetch("/en/account/credits?kind=images")).text();
  expect(html).toContain(`href="/${OTHER_LOCALE}/account/credits?kind=images"`);
  const plain = await (await ada.fetch("/en/account/credits")).text();
  expect(plain).toContain(`href="/${OTHER_LOCALE}/account/credits"`);
});

test("HEAD has the headers of the page and no body", async () => {
  const head = await ada.fetch("/en/account", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
});
