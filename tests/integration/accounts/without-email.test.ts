import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

test("without email the page of a lost password says so, nothing is sent, and nothing tells who has an account", async () => {
  const { email } = await signUp(app.url);
  const page = await fetch(`${app.url}/en/forgot-password`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Email isn’t set up on this server");
  const responses = await Promise.all(
    [email, "nobody@example.com"].map((address) =>
      createClient(app.url).post("/en/forgot-password", { email: address }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual([503, 503]);
  expect(await app.sql("SELECT 1 FROM verification_tokens")).toEqual([]);
  expect(await app.sql("SELECT 1 FROM rate_limits WHERE key LIKE 'reset-%'")).toEqual([]);
});
