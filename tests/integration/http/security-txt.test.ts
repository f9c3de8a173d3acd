import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startTestServer } from "../../helpers/test-server";
import { withTestServer } from "../../helpers/with-test-server";

const CONTACT = "https://shop.test/report";
const app = withTestServer({ SECURITY_CONTACT: CONTACT });

test("security.txt names the contact, an expiry, itself and the policy", async () => {
  const response = await fetch(`${app.url}/.well-known/security.txt`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
  const lines = (await response.text()).trimEnd().split("\n");
  expect(lines).toEqual([
    `Contact: ${CONTACT}`,
    expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/),
    "Preferred-Languages: en",
    `Canonical: ${app.url}/.well-known/security.txt`,
    `Policy: ${app.url}/security-policy.txt`,
  ]);
});

test("the policy that it names is SECURITY.md", async () => {
  const response = await fetch(`${app.url}/security-policy.txt`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toBe(readFileSync("SECURITY.md", "utf8"));
});

test.each(["/.well-known/security.txt", "/security-policy.txt"])(
  "%s is only read, and is 404 on a site without a contact",
  async (path) => {
    const posted = await fetch(app.url + path, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const silent = await startTestServer({ DATABASE_URL: app.databaseUrl });
    try {
      const response = await fetch(silent.url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "not_found" });
    } finally {
      await silent.stop();
    }
  },
);
