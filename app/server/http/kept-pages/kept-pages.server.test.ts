import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { keptPages } from "./kept-pages.server";
import type { Render } from "./render-clean.server";

const LIVE = "rendered for this request";
const SITE = new URL("https://shop.example");
const SHEET = ":focus{color:gold}.used{color:red}.unused{color:blue}.used[open]{color:green}";
const routes = {
  root: { id: "root", path: "" },
  layout: { id: "layout", parentId: "root", path: ":locale" },
} as unknown as ServerBuild["routes"];

const html = (body: string, init: ResponseInit = {}) =>
  new Response(body, { ...init, headers: { "Content-Type": "text/html", ...init.headers } });

/** Serves kept pages over HTTP; what they leave over is answered with `LIVE`. */
async function serve(
  render: Render,
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const policyFor = ({ scripts, styles }: { scripts: string[]; styles: string[] }) =>
    `script-src ${scripts.join(" ") || "'none'"}; style-src ${styles.join(" ") || "'none'"}`;
  const readStyleSheet = async () => SHEET;
  const kept = keptPages({ render, siteUrl: SITE, routes, policyFor, readStyleSheet });
  const app = express();
  app.use(kept.pages, kept.notFound, (_request, response) => void response.send(LIVE));
  const server = createServer(app).listen(0);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://localhost:${port}${path}`, init);
}

const textOf = async (response: Promise<Response>) => (await response).text();

test("a page is rendered once, however many ask for it first at the same time", async () => {
  let rendered = 0;
  const ask = await serve(async () => html(`page ${++rendered}`));
  const texts = await Promise.all(Array.from({ length: 50 }, () => textOf(ask("/en"))));
  expect(new Set(texts)).toEqual(new Set(["page 1"]));
  expect(await textOf(ask("/en"))).toBe("page 1");
});

test("however many addresses and themes are invented, a 404 page is kept once for each real theme", async () => {
  let rendered = 0;
  const ask = await serve(async () => {
    rendered++;
    return html("nothing here", { status: 404 });
  });
  const themes = ["light", "dark", "system", "Dark", "../dark"];
  for (let number = 0; number < 300; number++) {
    const headers = {
      Cookie: `__Host-theme=${themes[number] ?? `theme-${number}`}; visitor=${number}`,
    };
    const answer = await ask(`/made-up-${number}`, { headers });
    expect([answer.status, await answer.text()]).toEqual([404, "nothing here"]);
  }
  expect(rendered).toBe(3);
});

test("nothing of the visitor's request reaches the rendering but the theme", async () => {
  const requests: Request[] = [];
  const contexts: AppLoadContext[] = [];
  const ask = await serve(async (request, context) => {
    requests.push(request);
    contexts.push(context);
    return html("page");
  });
  const headers = {
    Cookie: "__Host-theme=dark; device=mine; analytics=1",
    Authorization: "Bearer mine",
    "Accept-Language": "zh",
    "X-Forwarded-For": "192.0.2.1",
    "User-Agent": "mine",
  };
  await ask("/en/terms", { headers });
  expect(requests.map(({ url, headers }) => [url, [...headers]])).toEqual([
    ["https://shop.example/en/terms", [["cookie", "__Host-theme=dark"]]],
  ]);
  expect(contexts[0]?.clientAddress).toBe("unknown");
  await ask("/en/terms", { headers: { Cookie: "__Host-theme=blue" } });
  expect([...(requests[1]?.headers ?? [])]).toEqual([]);
});

test.each<[string, Render]>([
  ["sets a cookie", async () => html("page", { headers: { "Set-Cookie": "a=b" } })],
  ["has the request's nonce", async (_, { cspNonce }) => html(`<p>${cspNonce}</p>`)],
  ["has the request's id", async (_, { requestId }) => html(`<p>${requestId}</p>`)],
  ["has a script of its own", async () => html("<script>alert(1)</script>")],
  ["has another status", async () => html("page", { status: 404 })],
  ["redirects", async () => html("", { status: 302, headers: { Location: "/en/account" } })],
])("a page that %s is never kept", async (_what, render) => {
  let rendered = 0;
  const ask = await serve((request, context) => {
    rendered++;
    return render(request, context);
  });
  expect([await textOf(ask("/en")), await textOf(ask("/en"))]).toEqual([LIVE, LIVE]);
  // It isn't tried again: the process would render such a page twice for each visitor.
  expect(rendered).toBe(1);
});

test("a page whose rendering fails is rendered again for the next visitor", async () => {
  const outcomes = [() => html("broken", { status: 503 }), () => html("page")];
  const ask = await serve(async () => outcomes.shift()?.() ?? html("too often"));
  expect(await textOf(ask("/en"))).toBe(LIVE);
  expect([await textOf(ask("/en")), await textOf(ask("/en"))]).toEqual(["page", "page"]);
});

test("the policy allows the page's own scripts by their full address, and no others", async () => {
  const ask = await serve(async () => html('<script type="module" src="/passkeys.js"></script>'));
  const policy = (await ask("/en/sign-in")).headers.get("content-security-policy");
  expect(policy).toBe("script-src https://shop.example/passkeys.js; style-src 'none'");
});

test("a page has the rules it uses in itself, which its policy allows by their hash, and fetches the sheet later", async () => {
  const link = '<link rel="stylesheet" href="/assets/styles-1.css"/>';
  const ask = await serve(async () => html(`<head>${link}</head><p class="used">$& text</p>`));
  const answer = await ask("/en");
  const text = await answer.text();
  const [, css = ""] = /<style>(.*)<\/style>/.exec(text) ?? [];
  expect(css).toBe(":focus{color:gold}.used{color:red}.used[open]{color:green}");
  expect(text).toBe(
    `<head><style>${css}</style><link rel="prefetch" as="style" href="/assets/styles-1.css"/></head><p class="used">$& text</p>`,
  );
  const hash = createHash("sha256").update(css).digest("base64");
  expect(answer.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
});

test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is left to Remix", async (method) => {
  const ask = await serve(async () => html("page"));
  expect(await textOf(ask("/en", { method }))).toBe(LIVE);
});
