import { expect, test } from "vitest";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import { PAGE_PATHS } from "../../helpers/page-paths";
import { readPageState, redirectsOf } from "../../helpers/page-state";
import { sendRaw } from "../../helpers/raw-request";
import { withTestServer } from "../../helpers/with-test-server";

// CVE-2026-53669 is excepted in security/accepted-advisories.json: a link or redirect whose whole target is
// a visitor's may leave the site by a backslash.

const app = withTestServer({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });

const EVIL = "evil.example";
/** Targets that a router may take for a path of ours, and a browser for another site. */
const TARGETS = [
  `/\\${EVIL}`,
  `/en/..\\\\${EVIL}`,
  `//${EVIL}/en`,
  `javascript:location="https://${EVIL}"`,
  `\\\\${EVIL}`,
  `\\/${EVIL}/en`,
  `///${EVIL}`,
  `/\t/${EVIL}`,
  `/\n\\${EVIL}`,
  `/.//${EVIL}`,
  `https:${EVIL}`,
  `https:\\${EVIL}`,
  `https://${EVIL}/en`,
];

/** Fields and parameters that name a page, and others that pages read. */
const NAMES = [
  ..."redirectTo returnTo next to url path from callback continue".split(" "),
  ..."generation reuse example page done error intent token code cursor session_id".split(" "),
];

/**
 * Whether a browser on a page of ours would leave the site for this target, or run it, at once or after a script
 * took the target's path alone, as Remix does.
 */
function leaves(target: string): boolean {
  const page = `${app.url}/en/page`;
  if (!URL.canParse(target, page)) return false;
  const url = new URL(target, page);
  const isElsewhere = ({ hostname, protocol }: URL) =>
    hostname === EVIL || protocol === "javascript:";
  return isElsewhere(url) || (url.host !== "" && isElsewhere(new URL(url.pathname, page)));
}

const ATTRIBUTES = /\s(?:href|action|formaction|src|srcset|data|content|value-url)="([^"]*)"/gi;

const unescapeHtml = (text: string) =>
  text
    .replace(/&(?:quot|#x22|#34);/g, '"')
    .replace(/&(?:#x27|#39);/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

/** Every target in a response: of redirects, links, forms, and of redirects that a page's script makes. */
async function targetsOf(response: Response): Promise<string[]> {
  const text = await response.text();
  const location = response.headers.get("Location");
  return [
    ...(location === null ? [] : [location]),
    ...[...text.matchAll(ATTRIBUTES)].map(([, value = ""]) =>
      unescapeHtml(value).replace(/^\d+;\s*url=/i, ""),
    ),
    ...redirectsOf(await readPageState(response, text)),
  ];
}

test("a target that leaves the site is told from one that does not", () => {
  expect(TARGETS.filter((target) => !leaves(target))).toEqual([]);
  for (const own of ["/en", "?redirectTo=//evil.example", `/en/${EVIL}`, "#x", "", app.url])
    expect(leaves(own), own).toBe(false);
});

async function expectToStay(path: string, response: Response): Promise<number> {
  expect([path, response.status]).not.toEqual([path, 500]);
  const targets = await targetsOf(response);
  expect([path, targets.filter(leaves)]).toEqual([path, []]);
  return targets.length;
}

/** Sign-out comes last: it ends the session of the client that asks. */
const PAGES = [...PAGE_PATHS].sort((a, b) => Number(a.endsWith("out")) - Number(b.endsWith("out")));

test.each(TARGETS)(
  "no page links or redirects to %j because its address says so",
  async (target) => {
    const query = new URLSearchParams(NAMES.map((name) => [name, target]));
    let seen = 0;
    for (const client of [createClient(app.url), await signUp(app.url)])
      for (const page of PAGES)
        for (const path of [page, `${page}.data`])
          seen += await expectToStay(path, await client.fetch(`${path}?${query}`));
    expect(seen).toBeGreaterThan(PAGES.length);
  },
);

test.each(TARGETS)("no form leads to %j because one of its fields says so", async (target) => {
  const fields = {
    ...Object.fromEntries(NAMES.map((name) => [name, target])),
    password: PASSWORD,
    theme: "dark",
  };
  const visitor = createClient(app.url);
  const user = await signUp(app.url);
  let redirects = 0;
  for (const client of [visitor, user])
    for (const page of PAGES)
      for (const path of [page, `${page}.data`]) {
        // To sign in as, and in the other forms the visitor's own.
        const response = await client.post(path, { email: user.email, ...fields });
        if (response.headers.has("Location")) redirects += 1;
        await expectToStay(path, response);
      }
  expect(redirects).toBeGreaterThan(3);
});

test.each(["sign-in", "sign-up"])("%s leads to no other site, nor back to one", async (page) => {
  for (const target of TARGETS) {
    const { email } = await signUp(app.url);
    const address = page === "sign-in" ? email : `new-${email}`;
    const response = await createClient(app.url).post(`/en/${page}`, {
      email: address,
      password: PASSWORD,
      redirectTo: target,
    });
    expect([target, response.status]).toEqual([target, 303]);
    await expectToStay(page, response);
  }
});

/** A request line, as no browser but any program sends it. */
test.each([
  `/\\${EVIL}`,
  `//${EVIL}`,
  `//${EVIL}/en/sign-in`,
  `/en//${EVIL}`,
  `/en/\\${EVIL}`,
  `/%5C${EVIL}`,
  `/%2F%2F${EVIL}`,
  `/en/%5C%5C${EVIL}/..`,
  `/.//${EVIL}/`,
  `/en/files//${EVIL}/`,
  `//${EVIL}/%2e%2e`,
])("the path %s leads nowhere else", async (path) => {
  for (const method of ["GET", "POST"]) {
    const { status, headers, body } = await sendRaw(app.url, [
      `${method} ${path} HTTP/1.1`,
      `Host: ${new URL(app.url).host}`,
      "Connection: close",
    ]);
    const location = headers.get("location");
    const response = new Response(body || null, { headers: location ? { location } : {} });
    expect(status).toBeLessThan(500);
    await expectToStay(path, response);
  }
});
