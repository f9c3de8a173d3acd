import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, signUp } from "../../helpers/client";
import { INTERACTIVE_PATHS, PAGE_PATHS } from "../../helpers/page-paths";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });

/** Bytes of our own modules, compressed with gzip. */
const MOST_OWN = 24_000;
/** Bytes of React, the framework and the texts' formatter. React Router's part is 4 kB larger than Remix's. */
const MOST_PACKAGES = 92_000;
/** Bytes, as they are. */
const MOST_PAGE_SCRIPT = 3_000;

let user: Client;
beforeAll(async () => {
  user = await signUp(app.url);
});

const framework = /\/assets\/[^"']+\.js|__remix|__reactRouter/;

test("no page but the files page and the generator loads any of the framework", async () => {
  const visitor = createClient(app.url);
  const scripted = new Set<string>();
  let seen = 0;
  for (const path of PAGE_PATHS)
    for (const client of [visitor, user]) {
      const response = await client.fetch(path);
      const html = await response.text();
      if (!html.includes("</html>")) continue;
      seen += 1;
      if (framework.test(html)) scripted.add(path);
    }
  expect(seen).toBeGreaterThan(PAGE_PATHS.length);
  expect([...scripted].sort()).toEqual([...INTERACTIVE_PATHS].sort());
});

test("only signed-in pages load the shared script, which stays small", async () => {
  const visitor = createClient(app.url);
  expect(await (await visitor.fetch("/en/sign-in")).text()).not.toContain("/page.js");
  expect(await (await user.fetch("/en/account")).text()).toMatch(
    /<script type="module" src="\/page.js">/,
  );
  const script = await (await visitor.fetch("/page.js")).text();
  expect(script.length).toBeLessThanOrEqual(MOST_PAGE_SCRIPT);
});

/** All modules that a page loads before anything happens on it. */
async function modulesOf(path: string): Promise<{ name: string; text: string }[]> {
  const html = await (await user.fetch(path)).text();
  const names = new Set<string>();
  for (const [, name = ""] of html.matchAll(
    /(?:href="|src="|from "|import ")(\/assets\/[^"]+\.js)"/g,
  ))
    names.add(name);
  const modules = await Promise.all(
    [...names].map(async (name) => ({ name, text: await (await user.fetch(name)).text() })),
  );
  expect(modules.length).toBeGreaterThan(3);
  return modules;
}

test.each(INTERACTIVE_PATHS)(
  "%s loads little script, and no schema library or message parser",
  async (path) => {
    const modules = await modulesOf(path);
    const isPackages = ({ name }: { name: string }) => name.startsWith("/assets/packages-");
    const bytesOf = (some: typeof modules) =>
      some.reduce((sum, { text }) => sum + gzipSync(text).length, 0);
    expect(modules.filter(isPackages)).toHaveLength(1);
    expect(bytesOf(modules.filter(isPackages))).toBeLessThanOrEqual(MOST_PACKAGES);
    expect(bytesOf(modules.filter((module) => !isPackages(module)))).toBeLessThanOrEqual(MOST_OWN);
    const all = modules.map(({ text }) => text).join("\n");
    expect(all).not.toContain("ZodError");
    expect(all).not.toContain("EXPECT_ARGUMENT_CLOSING_BRACE");
    expect(all).not.toContain("SyntaxError(this.message");
  },
);
