import { expect, test } from "vitest";
import { PRODUCT_NAME } from "~/catalog";
import { addressRules } from "~/server/limits/address-limits.server";
import { fingerprint } from "~/utils/token.server";
import { OTHER_LOCALE, translatorOf } from "../fixtures/languages";
import { type Client, createClient, newAddress, PASSWORD, signUp } from "../helpers/client";
import { withMailServer } from "../helpers/with-mail-server";

// One trusted proxy, so that an attacker can use many addresses; the real limits.
const app = withMailServer({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });

const NEW_PASSWORD = "another good password";

const signIn = (client: Client, email: string, password = PASSWORD) =>
  client.post("/en/sign-in", { email, password });

const guess = (email: string, from = newAddress()) =>
  signIn(createClient(app.url, from), email, "wrong password");

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

const statusesOf = async (responses: Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status);

const count = (statuses: number[], wanted: number) =>
  statuses.filter((status) => status === wanted).length;

/** Records this many uses of a limit, in a window that has a minute left. */
const countUses = (key: string, uses: number) =>
  app.sql(
    `INSERT INTO rate_limits VALUES ($1, $2, now() + interval '1 minute')
     ON CONFLICT (key) DO UPDATE SET count = excluded.count, expires_at = excluded.expires_at`,
    [key, uses],
  );

/** Records enough failures this hour that unknown browsers have to take turns at the account. */
const attack = (email: string) => countUses(`sign-in-account:${fingerprint(email)}`, 50);

/** Takes every turn of the next minute. */
const takeAllTurns = (email: string) => countUses(`sign-in-turn:${fingerprint(email)}`, 1);

test("of 300 guesses at once at one account from 300 addresses, 50 are checked and the rest take turns", async () => {
  const { email } = await signUp(app.url);
  const began = Date.now();
  const responses = await Promise.all(times(300, () => guess(email)));
  const seconds = (Date.now() - began) / 1000;
  const checked = responses.filter(({ status }) => status === 400);
  const refused = responses.filter(({ status }) => status === 429);
  expect(checked.length + refused.length).toBe(300);
  // One turn every 3 seconds: turns taken while this ran, and those up to 12 seconds ahead.
  expect(checked.length).toBeLessThanOrEqual(50 + seconds / 3 + 5);
  for (const { headers } of refused) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(15);
  }
});

test("at an account under attack unknown browsers are checked 3 seconds apart, in parallel or not", async () => {
  const { email } = await signUp(app.url);
  await attack(email);
  const began = Date.now();
  expect(await statusesOf(times(3, () => guess(email)))).toEqual([400, 400, 400]);
  expect(Date.now() - began).toBeGreaterThanOrEqual(6_000);
});

test("while an account is under attack, a browser that signed in to it before signs in at once", async () => {
  const { email, ...owner } = await signUp(app.url);
  await owner.post("/en/sign-out", {});
  await attack(email);
  const crowd = statusesOf(times(50, () => guess(email)));
  // Without its cookie it would have to wait for a turn, or be refused.
  let crowdServed = false;
  void crowd.then(() => {
    crowdServed = true;
  });
  expect((await signIn(owner, email)).status).toBe(303);
  expect(crowdServed).toBe(false);
  expect(count(await crowd, 303)).toBe(0);
});

test("neighbours who used up an address do not lock a known browser out", async () => {
  const from = newAddress();
  const owner = createClient(app.url, from);
  const email = "neighbour@example.com";
  expect((await owner.post("/en/sign-up", { email, password: PASSWORD })).status).toBe(303);
  for (const rules of [
    addressRules("sign-in-address", from),
    addressRules("signed-in-address", from),
    addressRules("sign-in-account-address", from, email),
  ])
    for (const { key, limit } of rules) await countUses(key, limit);
  expect((await signIn(createClient(app.url, from), email)).status).toBe(429);
  expect((await signIn(owner, email)).status).toBe(303);
});

test("a known browser has 10 failures in 15 minutes, which count for nobody else", async () => {
  const { email, ...owner } = await signUp(app.url);
  await owner.post("/en/sign-out", {});
  const statuses = await statusesOf(times(12, () => signIn(owner, email, "wrong password")));
  expect([count(statuses, 400), count(statuses, 429)]).toEqual([10, 2]);
  expect((await signIn(owner, email)).status).toBe(429);
  const rows = await app.sql("SELECT key FROM rate_limits WHERE key = $1 AND count > 0", [
    `sign-in-account:${fingerprint(email)}`,
  ]);
  expect(rows).toEqual([]);
  expect((await signIn(createClient(app.url), email)).status).toBe(303);
});

test("the device cookie is HttpOnly, SameSite=Lax and lasts a year, and names neither user nor address", async () => {
  const email = "device@example.com";
  const response = await createClient(app.url).post("/en/sign-up", { email, password: PASSWORD });
  const cookie = response.headers.getSetCookie().find((set) => set.startsWith("device=")) ?? "";
  expect(cookie).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  const [value = ""] = decodeURIComponent(cookie.slice("device=".length)).split(".");
  const text = Buffer.from(value, "base64").toString();
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  expect(text).not.toContain(user?.id ?? "no user");
  expect(text).not.toContain("device@");
});

test("another account's device cookie, a forged one and a session cookie are ignored", async () => {
  const victim = await signUp(app.url);
  const stranger = await signUp(app.url);
  const cookieValue = (client: Client, name: string) =>
    new RegExp(`${name}=([^;]+)`).exec(client.cookie())?.[1] ?? "missing";
  const [payload = ""] = decodeURIComponent(cookieValue(victim, "device")).split(".");
  const tries = {
    own: cookieValue(victim, "device"),
    "another account's": cookieValue(stranger, "device"),
    unsigned: encodeURIComponent(payload),
    "signed by somebody else": encodeURIComponent(`${payload}.${"A".repeat(43)}`),
    "a session's": cookieValue(victim, "session"),
  };
  await attack(victim.email);
  await takeAllTurns(victim.email);
  const statuses = Object.entries(tries).map(async ([name, device]) => {
    const response = await createClient(app.url).fetch("/en/sign-in", {
      method: "POST",
      headers: { Cookie: `device=${device}` },
      body: new URLSearchParams({ email: victim.email, password: PASSWORD }),
    });
    return [name, response.status] as const;
  });
  expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
    own: 303,
    "another account's": 429,
    unsigned: 429,
    "signed by somebody else": 429,
    "a session's": 429,
  });
});

test("a browser is known for the ten accounts that signed in on it last", async () => {
  const browser = createClient(app.url);
  const people = await Promise.all(times(11, () => signUp(app.url)));
  for (const { email } of people) expect((await signIn(browser, email)).status).toBe(303);
  await browser.post("/en/sign-out", {});
  const [first, second] = people;
  for (const { email } of people) {
    await attack(email);
    await takeAllTurns(email);
  }
  expect((await signIn(browser, first?.email ?? "")).status).toBe(429);
  expect((await signIn(browser, second?.email ?? "")).status).toBe(303);
});

test("a password change makes every browser unknown except the one that made it", async () => {
  const { email, ...owner } = await signUp(app.url);
  const thief = createClient(app.url);
  expect((await signIn(thief, email)).status).toBe(303);
  const change = { intent: "password", currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expect((await owner.post("/en/account/security", change)).status).toBe(303);
  await attack(email);
  await takeAllTurns(email);
  expect((await signIn(thief, email, NEW_PASSWORD)).status).toBe(429);
  expect((await signIn(owner, email, NEW_PASSWORD)).status).toBe(303);
});

test("while an account is under attack, its owner gets in from a new browser by a reset link", async () => {
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1);
  await attack(email);
  await takeAllTurns(email);
  const browser = createClient(app.url);
  expect((await signIn(browser, email)).status).toBe(429);
  await browser.post("/en/forgot-password", { email });
  const link = await app.linkTo(email, 2);
  expect((await browser.post(link, { password: NEW_PASSWORD })).status).toBe(303);
  expect((await signIn(browser, email, NEW_PASSWORD)).status).toBe(303);
});

test("a try whose password is not checked is no failure", async () => {
  const { email } = await signUp(app.url);
  await attack(email);
  await takeAllTurns(email);
  const browser = createClient(app.url);
  for (let time = 0; time < 12; time++) expect((await signIn(browser, email)).status).toBe(429);
  await app.sql("DELETE FROM rate_limits WHERE key LIKE 'sign-in-turn:%'");
  expect((await signIn(browser, email)).status).toBe(303);
});

test.each([
  ["/56", "2001:db8:56:1100::1", "2001:db8:56:11ff::1", "2001:db8:56:1200::1", 1, 200],
  ["/48", "2001:db8:48:1100::1", "2001:db8:48:2200::1", "2001:db8:49:1100::1", 2, 1_000],
])(
  "guesses from many /64 of one %s are counted together",
  async (_prefix, a, b, other, at, limit) => {
    const rule = addressRules("sign-in-address", a)[at];
    expect(rule?.limit).toBe(limit);
    await countUses(rule?.key ?? "", limit - 1);
    expect((await guess("nobody-1@example.com", a)).status).toBe(400);
    expect((await guess("nobody-2@example.com", b)).status).toBe(429);
    expect((await guess("nobody-3@example.com", other)).status).toBe(400);
  },
);

test("tries at once from many /64 of one /48 are all counted and none fails for another", async () => {
  const tries = Array.from({ length: 40 }, (_, n) =>
    guess(`nobody-${n}@example.com`, `2001:db8:40:${n.toString(16)}::1`),
  );
  expect(await statusesOf(tries)).toEqual(Array(40).fill(400));
  const keys = addressRules("sign-in-address", "2001:db8:40::1").map(({ key }) => key);
  const [wide] = await app.sql("SELECT count FROM rate_limits WHERE key = $1", [keys[2]]);
  expect(wide).toEqual({ count: 40 });
});

test("a failed sign-in is logged with its reason, and without the address or the password", async () => {
  const email = "logged@example.com";
  expect((await guess(email)).status).toBe(400);
  await attack(email);
  await takeAllTurns(email);
  expect((await guess(email)).status).toBe(429);
  const failures = () =>
    app.server.logs
      .filter(({ event, outcome }) => event === "sign_in" && outcome === "failure")
      .slice(-2)
      .map(({ reason }) => reason);
  await expect.poll(failures).toEqual(["unknown_account", "rate_limited"]);
  const logs = await app.server.allLogs();
  const rules = logs.filter(({ event }) => event === "rate_limited");
  expect(rules.at(-1)).toMatchObject({ rule: "sign-in-turn" });
  expect(JSON.stringify(logs)).not.toContain(email);
  expect(JSON.stringify(logs)).not.toContain("wrong password");
});

test("a taken address is reported on the page and to its owner by at most one email a day", async () => {
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1);
  const again = () =>
    createClient(app.url).post(`/${OTHER_LOCALE}/sign-up`, { email, password: PASSWORD });
  const responses = await Promise.all(times(3, again));
  for (const response of responses) {
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(translatorOf(OTHER_LOCALE)("validation.emailTaken"));
  }
  await app.linkTo(email, 2);
  const mail = app.mailsTo(email)[1];
  expect(mail?.subject).toBe(`You already have an account at ${PRODUCT_NAME}`);
  expect(mail?.text).toContain(`${app.url}/en/sign-in`);
  expect(mail?.text).toContain(`${app.url}/en/forgot-password`);
  // The counter is raised before an email is sent: no other notice can still be on its way.
  const notices = () =>
    app.sql<{ count: number }>(
      "SELECT count FROM rate_limits WHERE key LIKE 'sign-up-notice-account:%'",
    );
  await expect.poll(notices).toEqual([{ count: 3 }]);
  expect(app.mailsTo(email)).toHaveLength(2);
});
