import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { LOCALES } from "~/i18n/locale";
import { cachedPaths } from "./cached-paths.server";
import { pageCache } from "./page-cache.server";
import type { Render } from "./render-for-all.server";

const LIVE = "rendered for this request";
const SITE = new URL("https://shop.example");
const SAME_FOR_ALL = { default: () => null, handle: { sameForAll: true } };
const routes = {
  root: { id: "root", path: "" },
  layout: { id: "layout", parentId: "root", path: ":locale" },
  home: { id: "home", parentId: "layout", index: true, module: SAME_FOR_ALL },
  terms: { id: "terms", parentId: "layout", path: "terms", module: SAME_FOR_ALL },
  account: { id: "account", parentId: "layout", path: "account", module: { default: () => null } },
  robots: {
    id: "robots",
    parentId: "root",
    path: "robots.txt",
    module: { handle: { sameForAll: true } },
  },
} as unknown as ServerBuild["routes"];

const html = (body: string, init: ResponseInit = {}) =>
  new Response(body, { ...init, headers: { "Content-Type": "text/html", ...init.headers } });

/** Serves the page cache over HTTP; the response to all that it leaves over is `LIVE`. */
async function serve(
  render: Render,
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const policyFor = (scripts: string[]) => `script-src ${scripts.join(" ") || "'none'"}`;
  const cache = pageCache({ render, siteUrl: SITE, routes, policyFor });
  const app = express();
  app.use(cache.pages, cache.notFound, (_request, response) => void response.send(LIVE));
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

test("however many addresses and themes are invented, a 404 page is cached once for each real theme", async () => {
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
    const reply = await ask(`/made-up-${number}`, { headers });
    expect([reply.status, await reply.text()]).toEqual([404, "nothing here"]);
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
])("a page that %s is never cached", async (_what, render) => {
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
  const policy = (await ask("/en")).headers.get("content-security-policy");
  expect(policy).toBe("script-src https://shop.example/passkeys.js");
});

test("a page with data for search engines is cached: no browser runs that", async () => {
  let rendered = 0;
  const ask = await serve(async () =>
    html(`<script type="application/ld+json">{"number":${++rendered}}</script>`),
  );
  expect(await textOf(ask("/en"))).toBe(await textOf(ask("/en")));
  const policy = (await ask("/en")).headers.get("content-security-policy");
  expect(policy).toBe("script-src 'none'");
});

test("a route is cached if its handle says so, in each language, and no other route is", async () => {
  const asked: string[] = [];
  const ask = await serve(async ({ url }) => {
    asked.push(new URL(url).pathname);
    return html("page");
  });
  for (const path of ["/en", `/${LOCALES.at(-1)}/terms`, "/robots.txt", "/en/account"])
    await ask(path);
  expect(asked).toEqual(["/en", `/${LOCALES.at(-1)}/terms`, "/robots.txt"]);
  // A query may change a page, and no file.
  expect(await textOf(ask("/en?a=1"))).toBe(LIVE);
  expect(await textOf(ask("/robots.txt?a=1"))).toBe("page");
});

test("a route with a parameter can't be the same for all, and the start says which", () => {
  const route = { id: "order", parentId: "layout", path: "orders/:orderId", module: SAME_FOR_ALL };
  const more = { ...routes, order: route } as unknown as ServerBuild["routes"];
  expect(() => cachedPaths(more)).toThrow(
    "order can't be the same for all: its address /:locale/orders/:orderId has a parameter.",
  );
});

test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is left to Remix", async (method) => {
  const ask = await serve(async () => html("page"));
  expect(await textOf(ask("/en", { method }))).toBe(LIVE);
});
