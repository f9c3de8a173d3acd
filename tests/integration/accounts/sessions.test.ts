import { expect, test } from "vitest";
import { type Client, createClient, signUp } from "../../helpers/client";
import { runMaintenance } from "../../helpers/with-image-server";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ CRON_SECRET: "cron-secret-for-tests-only" });

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "another good password";

async function signIn(email: string, password = PASSWORD) {
  const client = createClient(app.url);
  const { status } = await client.post("/en/sign-in", { email, password });
  return { ...client, status };
}

const isIn = async (client: Pick<Client, "json">) =>
  (await client.json("GET", "/api/storage/files")).status === 200;

/** Whether an old value of the cookie is still signed in. */
const isInWith = async (Cookie: string) =>
  (await fetch(`${app.url}/api/storage/files`, { headers: { Cookie } })).status === 200;

const idOf = async (email: string) => {
  const [row] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  return row?.id ?? "";
};

const countSessions = async (email: string) =>
  (await app.sql("SELECT 1 FROM sessions WHERE user_id = $1", [await idOf(email)])).length;

/** Makes a user's sessions look unused for this long. */
const idle = async (email: string, interval: string) =>
  app.sql("UPDATE sessions SET last_seen_at = last_seen_at - $2::interval WHERE user_id = $1", [
    await idOf(email),
    interval,
  ]);

/** Creates sessions as sign-ins would: number n was used n minutes ago. */
const addSessions = async (email: string, count: number) =>
  app.sql(
    `INSERT INTO sessions (user_id, token_hash, user_agent, last_seen_at, expires_at)
     SELECT $1, sha256(gen_random_uuid()::text::bytea), n::text, now() - n * interval '1 minute',
       now() + interval '30 days' FROM generate_series(1, $2) AS n`,
    [await idOf(email), count],
  );

test("a session that was not used for 14 days is over: in use, in the list and in the sweep", async () => {
  const [kept, person] = [await signUp(app.url), await signUp(app.url)];
  const device = await signIn(person.email);
  await idle(kept.email, "13 days 23 hours");
  await idle(person.email, "14 days");
  expect([await isIn(kept), await isIn(person), await isIn(device)]).toEqual([true, false, false]);

  const again = await signIn(person.email);
  const page = await (await again.fetch("/en/account/security")).text();
  expect(page).toContain("This device");
  expect(page).not.toContain('type="radio"');
  expect(await countSessions(person.email)).toBe(3);
  await runMaintenance(app.url);
  expect([await countSessions(person.email), await countSessions(kept.email)]).toEqual([1, 1]);
  expect([await isIn(again), await isIn(kept)]).toEqual([true, true]);
});

test("use keeps a session alive, and 30 days end it all the same", async () => {
  const person = await signUp(app.url);
  for (let week = 0; week < 3; week++) {
    await idle(person.email, "10 days");
    expect(await isIn(person)).toBe(true);
  }
  await app.sql("UPDATE sessions SET expires_at = now() WHERE user_id = $1", [
    await idOf(person.email),
  ]);
  expect(await isIn(person)).toBe(false);
});

test("a change of password gives the session a new cookie; the old one and all others are dead", async () => {
  const person = await signUp(app.url);
  const others = [await signIn(person.email), await signIn(person.email)];
  const before = person.cookie();
  const [session] = await app.sql<{ id: string; expires_at: Date }>(
    "SELECT id, expires_at FROM sessions WHERE user_id = $1 ORDER BY created_at",
    [await idOf(person.email)],
  );
  const response = await person.post("/en/account/security", {
    intent: "password",
    currentPassword: PASSWORD,
    newPassword: NEW_PASSWORD,
  });
  expect(response.status).toBe(303);
  expect(response.headers.get("set-cookie")).toMatch(/^session=.+; HttpOnly; SameSite=Lax$/);
  expect(person.cookie()).not.toBe(before);
  expect([await isIn(person), await isInWith(before)]).toEqual([true, false]);
  for (const other of others) expect(await isIn(other)).toBe(false);
  const left = await app.sql("SELECT id, expires_at FROM sessions WHERE user_id = $1", [
    await idOf(person.email),
  ]);
  expect(left).toEqual([session]);
});

test("a change of password that is refused leaves cookie and sessions as they were", async () => {
  const person = await signUp(app.url);
  const other = await signIn(person.email);
  const response = await person.post("/en/account/security", {
    intent: "password",
    currentPassword: "wrong password",
    newPassword: NEW_PASSWORD,
  });
  expect(response.status).toBe(400);
  expect(response.headers.get("set-cookie")).toBeNull();
  expect([await isIn(person), await isIn(other)]).toEqual([true, true]);
});

test("a user has 50 sessions at most, and those used last stay", async () => {
  const person = await signUp(app.url);
  await addSessions(person.email, 60);
  const device = await signIn(person.email);
  expect(await countSessions(person.email)).toBe(50);
  const left = await app.sql<{ number: number }>(
    `SELECT user_agent::int AS number FROM sessions
     WHERE user_id = $1 AND user_agent ~ '^[0-9]+$' ORDER BY number`,
    [await idOf(person.email)],
  );
  expect(left.map(({ number }) => number)).toEqual(Array.from({ length: 48 }, (_, n) => n + 1));
  expect([await isIn(device), await isIn(person)]).toEqual([true, true]);
});

test("of parallel sign-ins no more than 50 sessions are left, the newest among them", async () => {
  const person = await signUp(app.url);
  await addSessions(person.email, 48);
  const devices = await Promise.all(Array.from({ length: 12 }, () => signIn(person.email)));
  expect(devices.map(({ status }) => status)).toEqual(Array(12).fill(303));
  expect(await countSessions(person.email)).toBe(50);
  for (const device of devices) expect(await isIn(device)).toBe(true);
});

test("a sign-in beside a deletion leaves no session behind", async () => {
  const person = await signUp(app.url);
  const userId = await idOf(person.email);
  const [deletion, ...devices] = await Promise.all([
    person.post("/en/account/delete", { currentPassword: PASSWORD }),
    ...Array.from({ length: 6 }, () => signIn(person.email)),
  ]);
  expect(deletion.status).toBe(303);
  for (const device of devices) expect(await isIn(device)).toBe(false);
  expect(await app.sql("SELECT 1 FROM sessions WHERE user_id = $1", [userId])).toEqual([]);
});

test("signing out and deleting make the browser drop its pages, twice, and keep other cookies", async () => {
  const person = await signUp(app.url);
  const device = await signIn(person.email);
  const responses = [
    await device.post("/en/sign-out", {}),
    await person.post("/en/account/delete", { currentPassword: PASSWORD }),
  ];
  for (const { headers } of responses) {
    expect(headers.get("clear-site-data")).toBe('"cache", "storage"');
    const landed = await createClient(app.url).fetch(headers.get("location") ?? "");
    expect(await landed.text()).toContain('<img src="/forget-pages"');
  }
  const load = (site?: string) =>
    fetch(`${app.url}/forget-pages`, { headers: site ? { "Sec-Fetch-Site": site } : {} });
  const again = await load("same-origin");
  expect(again.status).toBe(204);
  expect(again.headers.get("clear-site-data")).toBe('"cache", "storage"');
  // Nor for somebody who opens the address, or a program.
  for (const site of ["none", undefined]) {
    const { status, headers } = await load(site);
    expect([site, status, headers.get("clear-site-data")]).toEqual([site, 204, null]);
  }
  expect(await (await fetch(`${app.url}/en`)).text()).not.toContain("/forget-pages");
});

test.each(["cross-site", "same-site"])(
  "a %s page can't empty this site's storage",
  async (from) => {
    const response = await fetch(`${app.url}/forget-pages`, {
      headers: { "Sec-Fetch-Site": from },
    });
    expect([response.status, response.headers.get("clear-site-data")]).toEqual([204, null]);
  },
);

test.each([
  ["/en/pricing?a=b", "/en/pricing?a=b&done=signed-out"],
  ["//evil.example", "/en?done=signed-out"],
  ["/\\evil.example", "/en?done=signed-out"],
  ["https://evil.example", "/en?done=signed-out"],
])("signing out with redirectTo %s leads to %s", async (redirectTo, location) => {
  const person = await signUp(app.url);
  const query = new URLSearchParams({ redirectTo });
  const response = await person.post(`/en/sign-out?${query}`, {});
  expect([response.status, response.headers.get("location")]).toEqual([303, location]);
});

test("a disabled account's sessions are refused, and its sign-in is told so after the password alone", async () => {
  const person = await signUp(app.url);
  await app.sql("UPDATE users SET disabled_at = now() WHERE email = $1", [person.email]);
  expect(await isIn(person)).toBe(false);
  const attempt = (password: string) =>
    createClient(app.url).post("/en/sign-in", { email: person.email, password });
  const [wrong, right] = [await attempt("wrong password"), await attempt(PASSWORD)];
  expect([wrong.status, right.status]).toEqual([400, 403]);
  expect(await wrong.text()).not.toContain("account is disabled");
  expect(await right.text()).toContain("This account is disabled.");
  expect(right.headers.get("set-cookie")).toBeNull();
  expect(await countSessions(person.email)).toBe(1);
  const events = (await app.server.allLogs()).filter(({ reason }) => reason === "account_disabled");
  expect(events).toMatchObject([
    { event: "sign_in", outcome: "failure", userId: await idOf(person.email) },
  ]);
});

test("a new password by a mailed link does not revive a disabled account", async () => {
  const person = await signUp(app.url);
  await app.sql("UPDATE users SET disabled_at = now() WHERE email = $1", [person.email]);
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const link = await app.linkTo(person.email, 1, "reset-password");
  const reset = await createClient(app.url).post(link, { password: NEW_PASSWORD });
  expect(reset.status).toBe(303);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(403);
});

test("ended sessions are logged with their cause: sign-out, password, reset, deletion", async () => {
  const person = await signUp(app.url);
  const userId = await idOf(person.email);
  const security = (fields: Record<string, string>) =>
    person.post("/en/account/security", { currentPassword: PASSWORD, ...fields });
  const device = await signIn(person.email);
  await device.post("/en/sign-out", {});
  await signIn(person.email);
  await security({ intent: "endOthers" });
  await security({ intent: "password", newPassword: NEW_PASSWORD });
  await app.linkTo(person.email, 2);
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const link = await app.linkTo(person.email, 3);
  await createClient(app.url).post(link, { password: PASSWORD });
  const last = await signIn(person.email);
  await last.post("/en/account/delete", { currentPassword: PASSWORD });
  const own = () =>
    app.server.logs.filter((line) => line.event !== undefined && line.userId === userId);
  await expect
    .poll(() => own().map(({ event, outcome, reason, count }) => [event, outcome, reason, count]))
    .toEqual(
      expect.arrayContaining([
        ["sign_out", "success", undefined, undefined],
        ["sessions_ended", "success", "by_owner", 1],
        ["password_changed", "success", undefined, undefined],
        ["password_reset", "success", undefined, undefined],
        ["email_verified", "success", "password_reset", undefined],
        ["account_deleted", "success", undefined, undefined],
      ]),
    );
});
