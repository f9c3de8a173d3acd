import { expect, test } from "vitest";
import { storeApiKey } from "../../helpers/api-keys";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import { makeLinkToken } from "../../helpers/make-link";
import { runScript } from "../../helpers/run-script";
import {
  isFreshSession,
  makeStaleWithoutPassword,
  signInLinkPath,
  signInState,
} from "../../helpers/sign-in-state";
import { withMailServer } from "../../helpers/with-mail-server";
import { withTestServer } from "../../helpers/with-test-server";

const app = withMailServer({ SIGNUP_CREDITS: "25", TRUST_PROXY: "1", RATE_LIMIT_SCALE: "1" });
const silent = withTestServer();

const queuedFor = (email: string) =>
  app.sql<{ kind: string; data: object }>(
    `SELECT kind, data FROM outbox_emails WHERE recipient = $1 AND kind LIKE 'sign_in_link'`,
    [email],
  );

async function newPerson({ verified }: { verified: boolean }) {
  const person = await signUp(app.url);
  const verify = "UPDATE users SET email_verified_at = now() WHERE email = $1";
  if (verified) await app.sql(verify, [person.email]);
  return person;
}

test("asking for a link looks the same with and without an account, and queues a mail with one only", async () => {
  const { email } = await newPerson({ verified: true });
  const ask = (to: string) =>
    createClient(app.url).post("/en/sign-in-link", { email: to, redirectTo: "/en/files" });
  for (const to of [email, "nobody@example.com"]) {
    const response = await ask(to);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/en/sign-in-link?sent&redirectTo=%2Fen%2Ffiles",
    ]);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^mailed-to=/)]);
  }
  await expect
    .poll(() => queuedFor(email))
    .toEqual([{ kind: "sign_in_link", data: { redirectTo: "/en/files" } }]);
  expect(await queuedFor("nobody@example.com")).toEqual([]);
});

test("the mailed link signs in and leads to the page that was asked for", async () => {
  const { email } = await newPerson({ verified: true });
  const client = createClient(app.url);
  await client.post("/en/sign-in-link", { email, redirectTo: "/en/files" });
  const entered = await client.post(await app.linkTo(email, 1, "sign-in-link"), {});
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/en/files"]);
  expect((await client.fetch("/en/files")).status).toBe(200);
});

test("at most five links an hour are mailed to one address, and nobody is told", async () => {
  const { email } = await newPerson({ verified: true });
  for (let times = 1; times <= 7; times++) {
    const response = await createClient(app.url).post("/en/sign-in-link", { email });
    expect(response.status).toBe(303);
    // A mail that still waits would give way to the next one.
    if (times <= 5) await app.linkTo(email, times, "sign-in-link");
  }
  // A mail to somebody else would come after a sixth and seventh.
  const { email: other } = await newPerson({ verified: true });
  await createClient(app.url).post("/en/sign-in-link", { email: other });
  await app.linkTo(other, 1, "sign-in-link");
  // The address may have got the link that confirms it, too.
  const links = app.mailsTo(email).filter(({ text }) => text.includes("/sign-in-link?"));
  expect(links).toHaveLength(5);
});

test("a link signs in once, by its button, and leads where the person was going", async () => {
  const { email } = await newPerson({ verified: true });
  const path = signInLinkPath(await makeLinkToken(app, email, "sign_in_link"), "/en/files");
  const browser = createClient(app.url);
  for (const method of ["GET", "HEAD", "GET"]) await browser.fetch(path, { method });
  expect(await (await browser.fetch(path)).text()).toContain(`signed in as ${email}`);
  const response = await browser.post(path, {});
  expect([response.status, response.headers.get("location")]).toEqual([303, "/en/files"]);
  expect((await browser.json("GET", "/api/storage/files")).status).toBe(200);
  expect((await createClient(app.url).post(path, {})).status).toBe(400);
  expect((await createClient(app.url).fetch(path)).status).toBe(400);
  expect(await signInState(app, email)).toMatchObject({ password: true, sessions: 2 });
});

test("of clicks at one time one signs in", async () => {
  const { email } = await newPerson({ verified: true });
  const path = signInLinkPath(await makeLinkToken(app, email, "sign_in_link"));
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => createClient(app.url).post(path, {})),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400, 400]);
  expect(await signInState(app, email)).toMatchObject({ sessions: 2 });
});

test("a link of ten minutes ago, of another kind or with a foreign redirect leads nowhere", async () => {
  const { email } = await newPerson({ verified: true });
  const token = await makeLinkToken(app, email, "sign_in_link");
  await app.sql("UPDATE verification_tokens SET expires_at = now() WHERE purpose = 'sign_in_link'");
  expect((await createClient(app.url).post(signInLinkPath(token), {})).status).toBe(400);
  const reset = await makeLinkToken(app, email, "reset_password");
  expect((await createClient(app.url).post(signInLinkPath(reset), {})).status).toBe(400);
  const foreign = signInLinkPath(await makeLinkToken(app, email, "sign_in_link"), "//evil.example");
  const response = await createClient(app.url).post(foreign, {});
  expect(response.headers.get("location")).toBe("/en/account");
  const [row] = await app.sql<{ minutes: number }>(
    `SELECT extract(epoch FROM expires_at - created_at)::int / 60 AS minutes
     FROM verification_tokens WHERE purpose = 'sign_in_link' ORDER BY created_at DESC LIMIT 1`,
  );
  expect(row?.minutes).toBe(10);
});

test("an unverified account entered through its mailbox loses the stranger's password, session and links", async () => {
  const stranger = await newPerson({ verified: false });
  const { email } = stranger;
  const other = await makeLinkToken(app, email, "sign_in_link");
  const path = signInLinkPath(await makeLinkToken(app, email, "sign_in_link"));
  const owner = createClient(app.url);
  expect(await (await owner.fetch(path)).text()).toContain("remove the password");
  expect((await owner.post(path, {})).status).toBe(303);
  expect(await signInState(app, email)).toEqual({
    verified: true,
    password: false,
    sessions: 1,
    credits: 25,
  });
  expect((await stranger.json("GET", "/api/storage/files")).status).toBe(401);
  const again = await createClient(app.url).post("/en/sign-in", { email, password: PASSWORD });
  expect(again.status).toBe(400);
  expect((await createClient(app.url).post(signInLinkPath(other), {})).status).toBe(400);
  expect((await owner.json("GET", "/api/storage/files")).status).toBe(200);
});

test.each([
  ["sign_in_link", (token: string) => signInLinkPath(token)],
  ["reset_password", (token: string) => `/en/reset-password?token=${token}`],
] as const)(
  "nor does an API key that the stranger made open it once the owner proved the mailbox by a %s",
  async (purpose, pathTo) => {
    const { email } = await newPerson({ verified: false });
    const key = await storeApiKey(app, email, { scopes: ["generate", "files", "read"] });
    const statusOf = async () => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${app.url}/api/account/credits`, { headers })).status;
    };
    expect(await statusOf()).toBe(200);
    const path = pathTo(await makeLinkToken(app, email, purpose));
    const password = "another good password";
    expect((await createClient(app.url).post(path, { password })).status).toBe(303);
    expect(await statusOf()).toBe(401);
  },
);

test("sign-up credits come once, whether the link, the reset or the verification comes first", async () => {
  const { email } = await newPerson({ verified: false });
  const paths = [
    signInLinkPath(await makeLinkToken(app, email, "sign_in_link")),
    signInLinkPath(await makeLinkToken(app, email, "sign_in_link")),
    `/en/reset-password?token=${await makeLinkToken(app, email, "reset_password")}`,
  ];
  await Promise.all(
    paths.map((path) => createClient(app.url).post(path, { password: "another good password" })),
  );
  expect(await signInState(app, email)).toMatchObject({ verified: true, credits: 25 });
});

test("opening links of any kind verifies nothing and gives no credits", async () => {
  const { email } = await newPerson({ verified: false });
  const pages = {
    sign_in_link: "sign-in-link",
    reset_password: "reset-password",
    verify_email: "verify-email",
  } as const;
  for (const [purpose, page] of Object.entries(pages)) {
    const token = await makeLinkToken(app, email, purpose as keyof typeof pages);
    await fetch(`${app.url}/en/${page}?token=${token}`);
  }
  expect(await signInState(app, email)).toMatchObject({ verified: false, credits: 0, sessions: 1 });
});

test("a disabled account is not entered by a link", async () => {
  const { email } = await newPerson({ verified: true });
  const path = signInLinkPath(await makeLinkToken(app, email, "sign_in_link"));
  await app.sql("UPDATE users SET disabled_at = now() WHERE email = $1", [email]);
  const response = await createClient(app.url).post(path, {});
  expect(response.status).toBe(403);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("where email is off nothing offers a link, and none is sent", async () => {
  expect(await (await fetch(`${silent.url}/en/sign-in`)).text()).not.toContain("sign-in-link");
  const response = await createClient(silent.url).post("/en/sign-in-link", {
    email: "a@example.com",
  });
  expect(response.status).toBe(503);
});

test("the sign-in page marks the way this browser used last, and no way for a new visitor", async () => {
  const mark = "Last used";
  const { email, ...client } = await newPerson({ verified: true });
  await client.post("/en/sign-out", {});
  const [byPassword = "", rest = ""] = (await (await client.fetch("/en/sign-in")).text()).split(
    mark,
  );
  expect(byPassword).not.toContain("Email me a sign-in link");
  expect(rest).toContain("Email me a sign-in link");
  await client.post(signInLinkPath(await makeLinkToken(app, email, "sign_in_link")), {});
  await client.post("/en/sign-out", {});
  const [byLink = "", after] = (await (await client.fetch("/en/sign-in")).text()).split(mark);
  expect(byLink).toContain("Email me a sign-in link");
  expect(after).toBeDefined();
  expect(await (await fetch(`${app.url}/en/sign-in`)).text()).not.toContain(mark);
  const forged = await fetch(`${app.url}/en/sign-in`, { headers: { Cookie: "last-way=Ind4Ig==" } });
  expect(await forged.text()).not.toContain(mark);
});

async function staleWithoutPassword() {
  const { email, ...client } = await newPerson({ verified: true });
  return { client, email, sessionId: await makeStaleWithoutPassword(app, email) };
}

test("a person without a password confirms who they are by a link that works in their session only", async () => {
  const { client, email, sessionId } = await staleWithoutPassword();
  const elsewhere = createClient(app.url);
  await elsewhere.post(signInLinkPath(await makeLinkToken(app, email, "sign_in_link")), {});
  const page = await (await client.fetch("/en/account/confirm?redirectTo=/en/account/data")).text();
  expect(page).toContain("Email me a link to confirm");
  const asked = await client.post("/en/account/confirm/link", { redirectTo: "/en/account/data" });
  expect(asked.headers.get("location")).toBe("/en/account/confirm/link");
  expect(await app.sql("SELECT data FROM outbox_emails WHERE kind = 'confirm_identity'")).toEqual([
    { data: { sessionId, redirectTo: "/en/account/data" } },
  ]);

  const path = await app.linkTo(email, 1, "confirm/link");
  expect((await elsewhere.post(path, {})).status).toBe(400);
  await client.fetch(path);
  expect(await isFreshSession(app, sessionId)).toBe(false);
  const confirmed = await client.post(path, {});
  expect(confirmed.headers.get("location")).toBe("/en/account/data");
  expect(await isFreshSession(app, sessionId)).toBe(true);
  expect((await client.post(path, {})).status).toBe(400);
});

test("an older link, and one from before a change of the password or an operator's sign-out, sign nobody in", async () => {
  const { email, post } = await newPerson({ verified: true });
  const askFor = async (nth: number) => {
    await createClient(app.url).post("/en/sign-in-link", { email });
    return app.linkTo(email, nth, "sign-in-link");
  };
  const use = async (path: string) => (await createClient(app.url).post(path, {})).status;
  const [first, second] = [await askFor(1), await askFor(2)];
  expect([await use(first), await use(second)]).toEqual([400, 303]);

  const third = await askFor(3);
  const change = { currentPassword: PASSWORD, newPassword: "another good password" };
  expect((await post("/en/account/security", { intent: "password", ...change })).status).toBe(303);
  expect(await use(third)).toBe(400);

  const fourth = await askFor(4);
  await runScript("scripts/users/users.command.ts", ["sign-out", email], {
    DATABASE_URL: app.databaseUrl,
  });
  expect(await use(fourth)).toBe(400);
});

test.each([
  ["too long a", `/en/${"a".repeat(60_000)}`],
  ["a foreign", "https://evil.example/en"],
])(
  "%s way back is dropped where it comes in, and stands in no mail, row or page",
  async (_, redirectTo) => {
    const { email } = await newPerson({ verified: true });
    const client = createClient(app.url);
    const response = await client.post("/en/sign-in-link", { email, redirectTo });
    expect(response.headers.get("location")).toBe("/en/sign-in-link?sent");
    const link = await app.linkTo(email, 1, "sign-in-link");
    expect(new URL(link, app.url).searchParams.get("redirectTo")).toBeNull();
    expect(await queuedFor(email)).toEqual([{ kind: "sign_in_link", data: { redirectTo: null } }]);
    expect((await client.post(link, {})).headers.get("location")).toBe("/en/account");

    const stale = await staleWithoutPassword();
    await stale.client.post("/en/account/confirm/link", { redirectTo });
    expect(
      await app.sql(
        "SELECT data FROM outbox_emails WHERE kind = 'confirm_identity' AND recipient = $1",
        [stale.email],
      ),
    ).toEqual([{ data: { sessionId: stale.sessionId, redirectTo: null } }]);
    const query = new URLSearchParams({ redirectTo: redirectTo.slice(0, 3_000) });
    for (const path of ["sign-in", "sign-up", "sign-in/passkey", "sign-in-link"]) {
      const page = await (await createClient(app.url).fetch(`/en/${path}?${query}`)).text();
      expect(page).not.toContain('name="redirectTo"');
    }
  },
);
