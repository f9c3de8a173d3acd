import { expect, test } from "vitest";
import { LAST_LOCALE, OTHER_LOCALE } from "../../fixtures/languages";
import { createClient, PASSWORD } from "../../helpers/client";
import { startTestServer } from "../../helpers/test-server";
import { withTurnstile } from "../../helpers/turnstile-control";
import { withMailServer } from "../../helpers/with-mail-server";

const turnstile = withTurnstile();
const app = withMailServer(async () => ({
  ...(await turnstile.start()),
  SIGNUP_CREDITS: "25",
  TRUST_PROXY: "1",
}));
let count = 0;
const newEmail = () => `challenged-${count++}@example.com`;

async function signUp(token: string | null, email = newEmail()) {
  const client = createClient(app.url);
  const field: Record<string, string> = token === null ? {} : { "cf-turnstile-response": token };
  const response = await client.post("/en/sign-up", { email, password: PASSWORD, ...field });
  return { client, email, reply: response, page: await response.text() };
}

const accounts = (email: string) =>
  app.sql<{ held: boolean; verified: boolean; sessions: number; credits: number }>(
    `SELECT held_for_email AS held, email_verified_at IS NOT NULL AS verified,
            (SELECT count(*)::int FROM sessions WHERE user_id = u.id) AS sessions,
            coalesce((SELECT balance FROM credit_accounts WHERE user_id = u.id), 0) AS credits
     FROM users u WHERE email = $1`,
    [email],
  );

const eventsOf = async (name: string) =>
  (await app.server.allLogs()).filter(({ event }) => event === name);

test("a token of this form signs up, and siteverify hears the visitor's address", async () => {
  const { reply: response, email } = await signUp(await turnstile.token("sign_up"));
  expect([response.status, response.headers.get("location")]).toEqual([303, "/en/account"]);
  expect(await accounts(email)).toMatchObject([{ held: false, sessions: 1 }]);
  const request = (await turnstile.requests()).at(-1);
  expect(request?.remoteip).toMatch(/^10\./);
  expect(request?.idempotency_key).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ["invented", async () => "XXXX.DUMMY.TOKEN.XXXX", "invalid-input-response"],
  ["of another form", () => turnstile.token("reset"), "other_action"],
  ["of another site", () => turnstile.token("sign_up", "evil.example"), "other_hostname"],
  ["endless", async () => "x".repeat(3000), "too_long"],
])("a token that is %s creates nothing", async (_name, makeToken, reason) => {
  const { reply: response, email, page } = await signUp(await makeToken());
  expect(response.status).toBe(400);
  expect(page).toContain("We couldn’t confirm that you’re a person. Nothing was changed.");
  expect(await accounts(email)).toEqual([]);
  expect((await eventsOf("bot_challenge")).at(-1)).toMatchObject({ outcome: "failure", reason });
});

test("a token works once, even in many requests at one time", async () => {
  const token = await turnstile.token("sign_up");
  const responses = await Promise.all(Array.from({ length: 5 }, () => signUp(token)));
  expect(responses.map(({ reply: response }) => response.status).sort()).toEqual([
    303, 400, 400, 400, 400,
  ]);
  expect((await signUp(token)).reply.status).toBe(400);
});

test.each(["down", "timeout"] as const)(
  "while siteverify is %s, sign-up with a token is a 503 that creates nothing",
  async (verdict) => {
    const token = await turnstile.token("sign_up");
    await turnstile.mode({ verdict });
    const { reply: response, email, page } = await signUp(token);
    expect(response.status).toBe(503);
    expect(page).toContain("We can’t check right now that you’re a person. Nothing was changed.");
    expect(await accounts(email)).toEqual([]);
  },
);

test("a secret key that Cloudflare refuses lets nobody in and blames nobody", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...turnstile.env(),
    TURNSTILE_SECRET_KEY: "sandbox-wrong",
  });
  try {
    const response = await createClient(server.url).post("/en/sign-up", {
      email: newEmail(),
      password: PASSWORD,
      "cf-turnstile-response": await turnstile.token("sign_up"),
    });
    expect(response.status).toBe(503);
    expect(JSON.stringify(await server.allLogs())).toContain("invalid-input-secret");
  } finally {
    await server.stop();
  }
});

test("without a token the account is held until its mailed link is confirmed with the password", async () => {
  const { client, email, reply: response } = await signUp(null);
  expect([response.status, response.headers.get("location")]).toEqual([303, "/en/sign-up?held"]);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await (await client.fetch("/en/sign-up?held")).text()).toContain("We emailed you a link");
  const held = { held: true, verified: false, sessions: 0, credits: 0 };
  expect(await accounts(email)).toEqual([held]);
  // A later link takes the place of one that wasn't sent.
  await app.linkTo(email, 1);

  const signIn = await client.post("/en/sign-in", { email, password: PASSWORD });
  expect(signIn.status).toBe(403);
  expect(await signIn.text()).toContain("Confirm your email address first");
  const link = await app.linkTo(email, 2);

  for (const method of ["GET", "HEAD"]) await client.fetch(link, { method });
  const wrong = await client.post(link, { password: "not the password" });
  expect(wrong.status).toBe(400);
  expect(await accounts(email)).toEqual([held]);

  const right = await client.post(link, { password: PASSWORD });
  expect([right.status, right.headers.get("location")]).toEqual([303, "/en/account"]);
  const free = { held: false, verified: true, sessions: 1, credits: 25 };
  expect(await accounts(email)).toEqual([free]);
  expect((await client.json("GET", "/api/account/credits")).status).toBe(200);
});

test("two clicks on a held account's link verify it once and give its credits once", async () => {
  const { email } = await signUp(null);
  const link = await app.linkTo(email, 1);
  await Promise.all(
    Array.from({ length: 4 }, () => createClient(app.url).post(link, { password: PASSWORD })),
  );
  expect(await accounts(email)).toMatchObject([{ held: false, verified: true, credits: 25 }]);
});

test("the mailbox's owner takes a held account over by a reset link, which drops the stranger's password", async () => {
  const { email } = await signUp(null);
  await app.linkTo(email, 1);
  await createClient(app.url).post("/en/forgot-password", { email });
  const owner = createClient(app.url);
  const reset = await owner.post(await app.linkTo(email, 2), { password: "another good password" });
  expect(reset.status).toBe(303);
  const stranger = await createClient(app.url).post("/en/sign-in", { email, password: PASSWORD });
  expect(stranger.status).toBe(400);
  const mine = await owner.post("/en/sign-in", { email, password: "another good password" });
  expect(mine.status).toBe(303);
  expect(await accounts(email)).toMatchObject([{ held: false, verified: true, credits: 25 }]);
});

test("a session of an account that is held is no session", async () => {
  const { client, email } = await signUp(await turnstile.token("sign_up"));
  expect((await client.json("GET", "/api/account/credits")).status).toBe(200);
  await app.sql("UPDATE users SET held_for_email = true WHERE email = $1", [email]);
  expect((await client.json("GET", "/api/account/credits")).status).toBe(401);
});

test("where email is off nobody signs up without the challenge", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...turnstile.env(),
  });
  try {
    const email = newEmail();
    const response = await createClient(server.url).post("/en/sign-up", {
      email,
      password: PASSWORD,
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("It needs JavaScript. Nothing was changed.");
    expect(await accounts(email)).toEqual([]);
  } finally {
    await server.stop();
  }
});

test("only the pages that show the challenge may load its script and frame", async () => {
  const { TURNSTILE_API_BASE } = turnstile.env();
  const policyOf = async (path: string) =>
    (await fetch(app.url + path)).headers.get("content-security-policy") ?? "";
  for (const path of [
    "/en/sign-up",
    `/${OTHER_LOCALE}/sign-in?x=1`,
    `/${LAST_LOCALE}/forgot-password`,
  ]) {
    const policy = await policyOf(path);
    expect(policy).toContain(`frame-src ${TURNSTILE_API_BASE};`);
    expect(policy).toMatch(new RegExp(`script-src [^;]* ${TURNSTILE_API_BASE};`));
  }
  for (const path of ["/en", "/en/terms", "/en/sign-up/x", "/xx/sign-up"]) {
    const policy = await policyOf(path);
    expect(policy).toContain("frame-src 'none'");
    expect(policy).not.toContain(TURNSTILE_API_BASE);
  }
});
