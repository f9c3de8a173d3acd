import { expect, test } from "vitest";
import { PRODUCT_NAME } from "~/catalog";
import { LAST_LOCALE, OTHER_LOCALE, translatorOf } from "../../fixtures/languages";
import { createClient, signUp } from "../../helpers/client";
import { startTestServer } from "../../helpers/test-server";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });

const NEW_PASSWORD = "another good password";
const OLD_PASSWORD = "correct horse battery";
let unknown = 0;
const unknownEmail = () => `nobody-${unknown++}@example.com`;

const ask = (email: string, path = "/en/forgot-password") =>
  createClient(app.url).post(path, { email });

const signIn = (email: string, password: string) =>
  createClient(app.url).post("/en/sign-in", { email, password });

/** The address of a new user, which is verified without a mail. */
async function verifiedAddress(): Promise<string> {
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1, "verify-email");
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);
  return email;
}

/** Creates a user who was sent a reset link; their first email verifies the address. */
async function askedPerson() {
  const person = await signUp(app.url);
  await app.linkTo(person.email, 1);
  await ask(person.email);
  const link = await app.linkTo(person.email, 2);
  return {
    person,
    link,
    reset: (fields: Record<string, string>) => createClient(app.url).post(link, fields),
  };
}

const move = (what: string, email: string) =>
  app.sql(
    `UPDATE verification_tokens SET ${what}
     WHERE purpose = 'reset_password' AND user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );

const strip = async (response: Response) =>
  (await response.text()).replace(/nonce="[^"]*"|nonce-[^']*/g, "");

test("a reset link sets a password once, ends every session, and verifies the address", async () => {
  const { person, link, reset } = await askedPerson();
  const reply = await reset({ password: NEW_PASSWORD });
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/en/sign-in?done=reset"]);
  expect(reply.headers.get("set-cookie")).not.toContain("session=");
  expect((await person.json("GET", "/api/storage/files")).status).toBe(401);
  expect((await signIn(person.email, OLD_PASSWORD)).status).toBe(400);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(303);
  const [user] = await app.sql<{ verified: boolean }>(
    "SELECT email_verified_at IS NOT NULL AS verified FROM users WHERE email = $1",
    [person.email],
  );
  expect(user?.verified).toBe(true);

  const again = await reset({ password: "a third good password" });
  expect(again.status).toBe(400);
  expect(await again.text()).toContain("This link no longer works");
  expect((await fetch(app.url + link)).status).toBe(400);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(303);
});

test("opening the link changes nothing, however often", async () => {
  const { person, link, reset } = await askedPerson();
  for (const method of ["GET", "HEAD", "GET"]) {
    expect((await fetch(app.url + link, { method })).status).toBe(200);
  }
  expect((await person.json("GET", "/api/storage/files")).status).toBe(200);
  expect((await reset({ password: NEW_PASSWORD })).status).toBe(303);
});

test("only a keyed hash of the token is stored, and no link is valid under another secret", async () => {
  const { link } = await askedPerson();
  const token = new URL(link, app.url).searchParams.get("token") ?? "";
  expect(token).toHaveLength(43);
  const rows = await app.sql<{ hash: Buffer }>(
    "SELECT token_hash AS hash FROM verification_tokens",
  );
  expect(rows.map(({ hash }) => hash.toString("base64url"))).not.toContain(token);
  const other = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: "another-secret-that-is-long-enough-to-be-one",
  });
  try {
    expect((await fetch(other.url + link)).status).toBe(400);
  } finally {
    await other.stop();
  }
});

test("the link expires after an hour", async () => {
  const { person, link, reset } = await askedPerson();
  await move("expires_at = expires_at - interval '59 minutes'", person.email);
  expect((await fetch(app.url + link)).status).toBe(200);
  await move("expires_at = expires_at - interval '2 minutes'", person.email);
  expect((await reset({ password: NEW_PASSWORD })).status).toBe(400);
  expect((await signIn(person.email, OLD_PASSWORD)).status).toBe(303);
});

test("of two links the use of one voids the other, also when both are used at once", async () => {
  const { person, reset } = await askedPerson();
  await ask(person.email);
  const second = await app.linkTo(person.email, 3);
  const responses = await Promise.all([
    reset({ password: "the first good password" }),
    createClient(app.url).post(second, { password: "the second good password" }),
  ]);
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
});

test("ten uses of one link at once set one password", async () => {
  const { person, reset } = await askedPerson();
  const passwords = Array.from({ length: 10 }, (_, n) => `good password number ${n}`);
  const responses = await Promise.all(passwords.map((password) => reset({ password })));
  const winner = passwords[responses.findIndex(({ status }) => status === 303)] ?? "";
  expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
  expect((await signIn(person.email, winner)).status).toBe(303);
});

test("a link that verifies an address resets nothing", async () => {
  const person = await signUp(app.url);
  const link = await app.linkTo(person.email, 1);
  const token = new URL(link, app.url).searchParams.get("token") ?? "";
  const reply = await createClient(app.url).post(`/en/reset-password?token=${token}`, {
    password: NEW_PASSWORD,
  });
  expect(reply.status).toBe(400);
});

test.each([
  ["no token", "/en/reset-password"],
  ["an empty one", "/en/reset-password?token="],
  ["a made-up one", `/en/reset-password?token=${"A".repeat(43)}`],
  ["hostile text", `/en/reset-password?token=${encodeURIComponent("'; DROP TABLE users; --\0")}`],
  ["a very long one", `/en/reset-password?token=${"x".repeat(5000)}`],
])("%s is a 400 with the way to a new link", async (_name, path) => {
  for (const reply of [
    await fetch(app.url + path),
    await createClient(app.url).post(path, { password: NEW_PASSWORD }),
  ]) {
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('href="/en/forgot-password"');
  }
});

test.each([
  ["no password", {}, "Fill in this field."],
  ["a short one", { password: "11 letters." }, "at least 12"],
  ["a long one", { password: "x".repeat(201) }, "at most 200"],
])("%s is a 400 that leaves the link usable", async (_name, fields, text) => {
  const { link, reset } = await askedPerson();
  const reply = await reset(fields as Record<string, string>);
  expect(reply.status).toBe(400);
  const page = await reply.text();
  expect(page).toContain(text);
  expect(page).not.toContain("xxxx");
  expect((await fetch(app.url + link)).status).toBe(200);
});

test.each([
  ["nothing", {}],
  ["no address", { email: "me" }],
  ["two addresses", { email: "a@example.com,b@example.com" }],
  ["a line break", { email: "a@example.com\r\nBcc: b@example.com" }],
])("asking with %s is a 400 that counts for nothing", async (_name, fields) => {
  const before = await app.sql("SELECT key FROM rate_limits WHERE key LIKE 'reset-%'");
  const reply = await createClient(app.url).post(
    "/en/forgot-password",
    fields as Record<string, string>,
  );
  expect(reply.status).toBe(400);
  expect(await app.sql("SELECT key FROM rate_limits WHERE key LIKE 'reset-%'")).toEqual(before);
});

test("the response is the same for an address with an account and one without", async () => {
  const { email } = await signUp(app.url);
  const known = createClient(app.url);
  const stranger = createClient(app.url);
  const responses = [
    await known.post("/en/forgot-password", { email: ` ${email.toUpperCase()}` }),
    await stranger.post("/en/forgot-password", { email: unknownEmail() }),
  ];
  expect(responses.map(({ status, headers }) => [status, headers.get("location")])).toEqual(
    Array(2).fill([303, "/en/forgot-password?sent"]),
  );
  const [page, other] = await Promise.all(
    [known, stranger].map(async (client) => {
      const html = await strip(await client.fetch("/en/forgot-password?sent"));
      // The addresses themselves differ, once as a text and once in the form.
      return html.replace(/[\w.-]+@[\w.-]+/g, "…");
    }),
  );
  expect(page).toContain("If … has an account here");
  expect(other).toBe(page);
  await app.linkTo(email, 2);
});

test("the sixth request for an account within the hour gets the same response as the first, and sends nothing", async () => {
  const email = await verifiedAddress();
  for (let time = 0; time < 6; time++) {
    const reply = await ask(email);
    expect([reply.status, reply.headers.get("location")]).toEqual([
      303,
      "/en/forgot-password?sent",
    ]);
    // A mail that still waits would give way to the next one.
    if (time < 5) await app.linkTo(email, time + 1, "reset-password");
  }
  const tokens = await app.sql(
    `SELECT t.id FROM verification_tokens t JOIN users u ON u.id = user_id
     WHERE email = $1 AND purpose = 'reset_password'`,
    [email],
  );
  expect(tokens).toHaveLength(5);
});

test("twenty requests at once for an account count as five, and one of their links works", async () => {
  const email = await verifiedAddress();
  const requestsTaken = async () =>
    (await app.server.allLogs()).filter(
      ({ event, outcome }) => event === "password_reset_requested" && outcome === "success",
    ).length;
  const before = await requestsTaken();
  const responses = await Promise.all(Array.from({ length: 20 }, () => ask(email)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(303));
  expect((await requestsTaken()) - before).toBe(5);
  const stateOf = async () =>
    app.sql(
      `SELECT (SELECT count(*)::int FROM outbox_emails o
               WHERE o.user_id = u.id AND kind = 'reset_password' AND sent_at IS NULL) AS waiting,
              (SELECT count(*)::int FROM verification_tokens t
               WHERE t.user_id = u.id AND purpose = 'reset_password' AND expires_at > now()) AS working
       FROM users u WHERE email = $1`,
      [email],
    );
  await expect.poll(stateOf).toEqual([{ waiting: 0, working: 1 }]);
});

test("the 21st request from an address within the hour is a 429, over all accounts", async () => {
  const { post } = createClient(app.url);
  const request = () => post("/en/forgot-password", { email: unknownEmail() });
  const responses = await Promise.all(Array.from({ length: 21 }, request));
  expect(responses.filter(({ status }) => status === 303)).toHaveLength(20);
  const limited = responses.find(({ status }) => status === 429);
  expect(Number(limited?.headers.get("retry-after"))).toBeGreaterThan(3500);
  expect(await limited?.text()).toContain("Too many attempts");
});

test("a link leads to the site, whatever Host the asker sent, in the account's language", async () => {
  const client = createClient(app.url);
  const t = translatorOf(OTHER_LOCALE);
  const email = `sitio-${Date.now()}@example.com`;
  await client.post(`/${OTHER_LOCALE}/sign-up`, { email, password: OLD_PASSWORD });
  await fetch(`${app.url}/${LAST_LOCALE}/forgot-password`, {
    method: "POST",
    redirect: "manual",
    headers: { "X-Forwarded-Host": "evil.example" },
    body: new URLSearchParams({ email }),
  });
  const link = await app.linkTo(email, 1, "reset-password");
  expect(link).toMatch(new RegExp(`^/${OTHER_LOCALE}/reset-password\\?token=`));
  const mail = app.mailsTo(email).find(({ text }) => text.includes(link));
  expect(mail?.subject).toBe(t("mail.resetSubject", { product: PRODUCT_NAME }));
  expect(mail?.text).toContain(t("mail.resetNote"));
});

test("a mail server that refuses is logged without the address, and the response is the same", async () => {
  const email = `me-${Date.now()}@refused.example`;
  const client = createClient(app.url);
  expect((await client.post("/en/sign-up", { email, password: OLD_PASSWORD })).status).toBe(303);
  expect((await ask(email)).status).toBe(303);
  const failures = () =>
    app.server.logs.filter(({ msg }) => String(msg).startsWith("an email was not sent"));
  await expect.poll(() => failures().length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(failures())).not.toContain(email);
});

test("a sign-in checked before a reset gets no session after it", async () => {
  const { person, reset } = await askedPerson();
  const [attempts] = await Promise.all([
    Promise.all(Array.from({ length: 6 }, () => signIn(person.email, OLD_PASSWORD))),
    reset({ password: NEW_PASSWORD }),
  ]);
  for (const { headers } of attempts) {
    const Cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const use = await fetch(`${app.url}/api/storage/files`, { headers: { Cookie } });
    expect(use.status).toBe(401);
  }
});
