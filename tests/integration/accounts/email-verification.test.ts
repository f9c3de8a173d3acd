import { expect, test } from "vitest";
import { type Client, createClient, signUp } from "../../helpers/client";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ SIGNUP_CREDITS: "25" });
const PASSWORD = "correct horse battery";

const stranger = () => createClient(app.url);
/** Presses the button of the page that the link opens. */
const press = (client: Client, link: string) => client.post(link, {});

const stateOf = async (email: string) => {
  const [row] = await app.sql<{ verified: boolean; credits: number; rows: number }>(
    `SELECT email_verified_at IS NOT NULL AS verified,
       (SELECT count(*)::int FROM credit_transactions WHERE source = 'signup:' || u.id) AS rows,
       coalesce((SELECT balance FROM credit_accounts WHERE user_id = u.id), 0) AS credits
     FROM users u WHERE email = $1`,
    [email],
  );
  return row;
};

const expire = (email: string) =>
  app.sql(
    `UPDATE verification_tokens SET expires_at = now() - interval '1 second'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );

const eventsOf = async (email: string, name: string) => {
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  return (await app.server.allLogs()).filter(
    ({ event, userId }) => event === name && userId === user?.id,
  );
};

const UNVERIFIED = { verified: false, credits: 0, rows: 0 };
const VERIFIED = { verified: true, credits: 25, rows: 1 };

test("opening the link changes nothing, with or without a session, by GET and by HEAD", async () => {
  const person = await signUp(app.url);
  const link = await app.linkTo(person.email, 1);
  expect(link).toMatch(/^\/en\/verify-email\?token=/);
  for (const client of [stranger(), person, await signUp(app.url)]) {
    for (const method of ["GET", "HEAD", "GET"]) await client.fetch(link, { method });
  }
  expect(await stateOf(person.email)).toEqual(UNVERIFIED);
  const [token] = await app.sql(
    "SELECT used_at FROM verification_tokens t JOIN users u ON u.id = user_id WHERE email = $1",
    [person.email],
  );
  expect(token).toEqual({ used_at: null });
});

test("the owner's button verifies the address and gives the sign-up credits once", async () => {
  const person = await signUp(app.url);
  const link = await app.linkTo(person.email, 1);
  const page = await person.fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Verify email address");
  for (let time = 0; time < 3; time++) {
    const response = await press(person, link);
    expect([response.status, response.headers.get("location")]).toEqual([303, link]);
  }
  const done = await person.fetch(link);
  expect(done.status).toBe(200);
  expect(await done.text()).toContain("Your email address is verified");
  expect(await stateOf(person.email)).toEqual(VERIFIED);
  expect(await eventsOf(person.email, "email_verified")).toMatchObject([
    { outcome: "success", sessionId: expect.any(String) },
  ]);
});

test("signed out, the page asks to sign in, and the sign-in comes back to the link", async () => {
  const { email } = await signUp(app.url);
  const link = await app.linkTo(email, 1);
  const visitor = stranger();
  const page = await visitor.fetch(link);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain("Sign in to verify your email address");
  expect(html).not.toContain("Verify email address");
  const redirectTo = html.match(/href="(\/en\/sign-in\?redirectTo=[^"]+)"/)?.[1] ?? "";
  expect(new URL(redirectTo, app.url).searchParams.get("redirectTo")).toBe(link);

  const pressed = await press(visitor, link);
  expect([pressed.status, pressed.headers.get("location")]).toEqual([303, link]);
  expect(await stateOf(email)).toEqual(UNVERIFIED);

  const form = await (await visitor.fetch(redirectTo)).text();
  expect(form).toContain(`value="${link}"`);
  const signedIn = await visitor.post("/en/sign-in", {
    email,
    password: PASSWORD,
    redirectTo: link,
  });
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, link]);
  await press(visitor, link);
  expect(await stateOf(email)).toEqual(VERIFIED);
});

test("somebody else's session verifies nothing, is told so, and can sign out and come back", async () => {
  const { email } = await signUp(app.url);
  const link = await app.linkTo(email, 1);
  const other = await signUp(app.url);
  const page = await other.fetch(link);
  expect(page.status).toBe(403);
  const html = await page.text();
  expect(html).toContain("This link is for another account");
  expect(html).not.toContain(email);
  expect((await press(other, link)).status).toBe(403);
  expect(await stateOf(email)).toEqual(UNVERIFIED);
  expect(await stateOf(other.email)).toEqual(UNVERIFIED);
  expect(await eventsOf(other.email, "email_verified")).toMatchObject([
    { outcome: "failure", reason: "not_owner" },
  ]);

  const signOut = html.match(/action="(\/en\/sign-out\?redirectTo=[^"]+)"/)?.[1] ?? "";
  const response = await other.post(signOut, {});
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    `${link}&done=signed-out`,
  ]);
  expect((await other.fetch("/en/account")).status).toBe(302);
});

test("another site's form verifies nothing", async () => {
  const person = await signUp(app.url);
  const link = await app.linkTo(person.email, 1);
  const headers = { Origin: "https://evil.example" };
  expect((await person.fetch(link, { method: "POST", headers })).status).toBe(403);
  expect(await stateOf(person.email)).toEqual(UNVERIFIED);
});

test("twenty presses at once, of two links, give the credits once", async () => {
  const person = await signUp(app.url);
  const first = await app.linkTo(person.email, 1);
  await person.post("/en/account/profile", { intent: "verify" });
  const second = await app.linkTo(person.email, 2);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => press(person, n % 2 ? first : second)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(303));
  expect(await stateOf(person.email)).toEqual(VERIFIED);
});

test("a reset of the password verifies too, and the credits still come once", async () => {
  const person = await signUp(app.url);
  const verification = await app.linkTo(person.email, 1);
  await stranger().post("/en/forgot-password", { email: person.email });
  const reset = await app.linkTo(person.email, 1, "reset-password");
  const [a, b] = await Promise.all([
    press(person, verification),
    stranger().post(reset, { password: "another good password" }),
  ]);
  expect([a.status, b.status]).toEqual([303, 303]);
  expect(await stateOf(person.email)).toEqual(VERIFIED);
});

test("the link expires after a day", async () => {
  const person = await signUp(app.url);
  const link = await app.linkTo(person.email, 1);
  await expire(person.email);
  for (const response of [await person.fetch(link), await press(person, link)]) {
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain("This link doesn’t work");
    expect(page).toContain('href="/en/account/profile"');
  }
  expect((await stranger().fetch(link)).status).toBe(400);
  expect(await stateOf(person.email)).toEqual(UNVERIFIED);
});

test("once the address is verified, all its links say so to the owner and to nobody else", async () => {
  const person = await signUp(app.url);
  const used = await app.linkTo(person.email, 1);
  await person.post("/en/account/profile", { intent: "verify" });
  const unused = await app.linkTo(person.email, 2);
  await press(person, used);
  await expire(person.email);
  for (const link of [used, unused]) {
    expect((await person.fetch(link)).status).toBe(200);
    for (const other of [stranger(), await signUp(app.url)])
      expect((await other.fetch(link)).status).toBe(400);
  }
});

test("a link that resets a password verifies nothing", async () => {
  const person = await signUp(app.url);
  await stranger().post("/en/forgot-password", { email: person.email });
  const reset = await app.linkTo(person.email, 1, "reset-password");
  const link = reset.replace("reset-password", "verify-email");
  expect((await person.fetch(link)).status).toBe(400);
  expect((await press(person, link)).status).toBe(400);
  expect(await stateOf(person.email)).toEqual(UNVERIFIED);
});

test.each(["", "?token=", `?token=${"A".repeat(43)}`, "?token=%00%27", "?token=a&token=b"])(
  "/verify-email%s is a 400",
  async (query) => {
    const person = await signUp(app.url);
    expect((await stranger().fetch(`/en/verify-email${query}`)).status).toBe(400);
    expect((await press(person, `/en/verify-email${query}`)).status).toBe(400);
  },
);

test("the token stays out of the log and out of the next request's referrer", async () => {
  const person = await signUp(app.url);
  const link = await app.linkTo(person.email, 1);
  const token = new URL(link, app.url).searchParams.get("token") ?? "";
  for (const path of [link, link.replace("verify-email", "reset-password")]) {
    const page = await (await person.fetch(path)).text();
    expect(page).toContain('<meta name="referrer" content="strict-origin"/>');
  }
  await press(person, link);
  const lines = () =>
    app.server.logs.filter(({ path, method }) => path === "/en/verify-email" && method === "POST");
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  expect(JSON.stringify(await app.server.allLogs())).not.toContain(token);
});

test("users with an unverified address can work", async () => {
  const person = await signUp(app.url);
  const upload = await person.json("POST", "/api/storage/upload", {
    filename: "a.png",
    contentType: "image/png",
    contentLength: 3,
  });
  expect(upload.status).toBe(200);
});
