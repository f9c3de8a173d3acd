import { expect, test } from "vitest";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer();

test("a sign-up with the hidden field filled gets the same response as any other and creates nothing", async () => {
  const email = "bot@example.com";
  const website = "https://spam.example";
  const bot = { email, password: PASSWORD, website, redirectTo: "/en/pricing" };
  const response = await createClient(app.url).post("/en/sign-up", bot);
  expect([response.status, response.headers.get("location")]).toEqual([303, "/en/pricing"]);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await app.sql("SELECT id FROM users WHERE email = $1", [email])).toEqual([]);
  const events = (await app.server.allLogs()).filter(({ event }) => event === "bot_trapped");
  expect(events).toMatchObject([{ action: "sign_up" }]);
  expect(JSON.stringify(events)).not.toContain("spam.example");
});

test("a reset request with the hidden field filled mails nothing and looks like any other", async () => {
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1);
  const ask = (website: string) =>
    createClient(app.url).post("/en/forgot-password", { email, website });
  const trapped = await ask("x");
  expect(trapped.headers.get("location")).toBe("/en/forgot-password?sent");
  await ask("");
  // Mails of one account are sent in turn, so the trapped one would have come first.
  await app.linkTo(email, 2);
  expect(app.mailsTo(email)).toHaveLength(2);
  const links = "SELECT id FROM verification_tokens WHERE purpose = 'reset_password'";
  expect(await app.sql(links)).toHaveLength(1);
});

test("the hidden field is there on both forms, out of the way of people and screen readers", async () => {
  for (const path of ["/en/sign-up", "/en/forgot-password"]) {
    const page = await (await fetch(app.url + path)).text();
    expect(page).toContain(
      '<div aria-hidden="true" class="sr-only"><input name="website" type="text" tabindex="-1" autoComplete="off"/></div>',
    );
  }
});

test("pages that are the same for all visitors carry nothing of one of them", async () => {
  const strip = (page: string) => page.replace(/nonce="[^"]*"|nonce-[^']*/g, "");
  for (const path of ["/en/sign-up", "/en/forgot-password", "/en/sign-in"]) {
    const pages = await Promise.all(
      [1, 2].map(async () => strip(await (await fetch(app.url + path)).text())),
    );
    expect(pages[0]).toBe(pages[1]);
  }
});
