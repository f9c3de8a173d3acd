import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { OTHER_LOCALE } from "../../fixtures/languages";
import { signUp } from "../../helpers/client";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer({ SECURITY_CONTACT: "mailto:security@shop.test" });

/** A file of each kind that the build serves, and a response of each kind that the server makes. */
const files = readdirSync("build/client", { recursive: true, encoding: "utf8" });
const oneOfEach = [...new Map(files.map((name) => [name.split(".").at(-1), name])).values()]
  .filter((name) => name.includes("."))
  .map((name) => `/${name}`);
const MADE = [
  ...["/", "/en", "/en/sign-in", "/en/files", "/en/account/profile", "/en/nowhere", "/nowhere"],
  ...[
    "/en/account/export",
    "/en/account/credits.csv",
    "/en/account/usage.csv",
    "/en/terms",
    `/${OTHER_LOCALE}/pricing`,
    "/forget-pages",
  ],
  ...["/healthz", "/readyz", "/metrics", "/api/nope", "/api/openapi.json", "/api/account/credits"],
  ...["/api/storage/files", "/api/storage/files/x", "/api/cron/maintenance", "/api/images/x/0"],
  ...[
    "/robots.txt",
    "/llms.txt",
    "/sitemap.xml",
    "/manifest.webmanifest",
    "/.well-known/security.txt",
  ],
  ...["/security-policy.txt", "/en/verify-email?token=x", "/%", "/en?_data=x"],
];

test("every response says its encoding if it is text, and its policies, and lets no other site read it", async () => {
  const person = await signUp(app.url);
  expect(oneOfEach.length).toBeGreaterThan(4);
  const types = new Set<string>();
  for (const path of [...MADE, ...oneOfEach]) {
    const response = await person.fetch(path, { headers: { Origin: "https://evil.example" } });
    const body = await response.arrayBuffer();
    const type = response.headers.get("content-type") ?? "";
    types.add(type.split(";")[0] ?? "");
    if (body.byteLength > 0) expect([path, type]).not.toEqual([path, ""]);
    // JSON has one encoding and no such parameter (RFC 8259, 11).
    if (/^text\/|xml|javascript/.test(type)) {
      expect([path, type.toLowerCase()]).toEqual([path, expect.stringMatching(/charset=utf-8$/)]);
    }
    expect([path, response.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    const policy = response.headers.get("content-security-policy");
    for (const directive of ["object-src", "base-uri", "frame-ancestors"])
      expect([path, policy]).toEqual([path, expect.stringContaining(`${directive} 'none'`)]);
    expect([path, response.headers.get("access-control-allow-origin")]).toEqual([path, null]);
  }
  for (const type of ["text/html", "text/css", "text/csv", "image/svg+xml", "application/xml"])
    expect(types).toContain(type);
});

test.each([
  "/assets/",
  "/assets",
  "/icons/",
  "/samples/",
  "/.git/config",
  "/.env",
  "/package.json",
])("%s is no page and no list", async (path) => {
  const response = await fetch(app.url + path);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toMatch(/Index of|\[core\]|AUTH_SECRET|"dependencies"/);
});

test("what a person wrote is shown as text", async () => {
  const person = await signUp(app.url);
  const name = `"'><img src=x onerror=alert(1)></title><b>&amp;`;
  const saved = await person.post("/en/account/profile", { name, locale: "en" });
  expect(saved.status).toBe(303);
  for (const path of ["/en/account/profile", "/en/account", "/en"]) {
    const page = await (await person.fetch(path)).text();
    expect(page).not.toContain("<img src=x");
    expect(page).not.toContain("</title><b>");
  }
  const profile = await (await person.fetch("/en/account/profile")).text();
  expect(profile).toContain("&lt;img src=x onerror=alert(1)&gt;");
});
