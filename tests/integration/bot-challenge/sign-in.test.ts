import { expect, test } from "vitest";
import { fingerprint } from "~/utils/token.server";
import { type Client, createClient, newAddress, PASSWORD, signUp } from "../../helpers/client";
import { withTurnstile } from "../../helpers/turnstile-control";
import { withMailServer } from "../../helpers/with-mail-server";
import { withTestServer } from "../../helpers/with-test-server";

const turnstile = withTurnstile();
// One trusted proxy, so that a test can use many addresses; the real limits.
const app = withMailServer(async () => ({
  ...(await turnstile.start()),
  TRUST_PROXY: "1",
  RATE_LIMIT_SCALE: "1",
}));

const plain = withTestServer({ TRUST_PROXY: "1", RATE_LIMIT_SCALE: "1" });

const REQUIRED = "Show first that you’re a person";
const signIn = (client: Client, email: string, password: string, token?: string) =>
  client.post("/en/sign-in", {
    email,
    password,
    ...(token === undefined ? {} : { "cf-turnstile-response": token }),
  });

/** Signs up with the challenge and returns the person, whose browser is known from then on. */
async function newPerson() {
  const client = createClient(app.url);
  const email = `guessed-${newAddress()}@example.com`;
  const response = await client.post("/en/sign-up", {
    email,
    password: PASSWORD,
    "cf-turnstile-response": await turnstile.token("sign_up"),
  });
  expect(response.status).toBe(303);
  return { client, email };
}

const guess = (email: string, address = newAddress()) =>
  signIn(createClient(app.url, address), email, "wrong password");

test("after five failures at an account an unknown browser needs the challenge, a known one does not", async () => {
  const { client, email } = await newPerson();
  for (let failure = 0; failure < 5; failure++) {
    const page = await (await guess(email)).text();
    expect(page).toContain("The email address or the password is wrong.");
  }
  const stranger = createClient(app.url);
  const refused = await signIn(stranger, email, PASSWORD);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(REQUIRED);
  expect((await signIn(client, email, PASSWORD)).status).toBe(303);

  const other = await signIn(stranger, email, PASSWORD, await turnstile.token("sign_up"));
  expect(await other.text()).toContain("couldn’t confirm that you’re a person");
  const token = await turnstile.token("sign_in");
  expect((await signIn(stranger, email, PASSWORD, token)).status).toBe(303);
});

test("of guesses at one time no more than five are checked without the challenge", async () => {
  const { email } = await newPerson();
  const responses = await Promise.all(Array.from({ length: 30 }, () => guess(email)));
  const pages = await Promise.all(responses.map((response) => response.text()));
  const checked = pages.filter((page) => page.includes("password is wrong."));
  expect(checked.length).toBeLessThanOrEqual(5);
  expect(pages.filter((page) => page.includes(REQUIRED)).length).toBe(30 - checked.length);
});

test("an address with fifteen failures needs the challenge at any account", async () => {
  const { email } = await newPerson();
  const address = newAddress();
  for (let failure = 0; failure < 15; failure++)
    await guess(`nobody-${failure}@example.com`, address);
  const here = await signIn(createClient(app.url, address), email, PASSWORD);
  expect(await here.text()).toContain(REQUIRED);
  expect((await signIn(createClient(app.url), email, PASSWORD)).status).toBe(303);
});

test("a flood without the challenge writes no row for each account, counts as no failure, and ends at 60", async () => {
  const address = newAddress();
  for (let failure = 0; failure < 15; failure++)
    await guess(`nobody-${failure}@example.com`, address);
  const keys = async () =>
    (await app.sql<{ key: string }>("SELECT key FROM rate_limits ORDER BY key")).map(
      ({ key }) => key,
    );
  const before = await keys();
  const statuses = [];
  for (let n = 0; n < 62; n++)
    statuses.push((await guess(`flood-${n}@example.com`, address)).status);
  expect(statuses).toEqual([...Array(60).fill(400), 429, 429]);
  const added = (await keys()).filter((key) => !before.includes(key));
  expect(added.map((key) => key.split(":")[0])).toEqual(["sign-in-unproven-address"]);

  const { client, email } = await newPerson();
  for (let failure = 0; failure < 5; failure++) await guess(email);
  const flood = await Promise.all(Array.from({ length: 40 }, () => guess(email)));
  expect(flood.map(({ status }) => status)).toEqual(Array(40).fill(400));
  const [row] = await app.sql<{ count: number }>("SELECT count FROM rate_limits WHERE key = $1", [
    `sign-in-account:${fingerprint(email)}`,
  ]);
  expect(row?.count).toBe(5);
  const token = await turnstile.token("sign_in");
  expect((await signIn(createClient(app.url), email, PASSWORD, token)).status).toBe(303);
  expect((await signIn(client, email, PASSWORD)).status).toBe(303);
});

test("while siteverify is down people get into their accounts by the password alone", async () => {
  const { email } = await newPerson();
  for (let failure = 0; failure < 5; failure++) await guess(email);
  const token = await turnstile.token("sign_in");
  await turnstile.mode({ verdict: "down" });
  expect((await signIn(createClient(app.url), email, PASSWORD, token)).status).toBe(303);
});

test("a reset link is mailed with the challenge, and to fewer without it", async () => {
  const { email } = await newPerson();
  const address = newAddress();
  const ask = (fields: Record<string, string> = {}) =>
    createClient(app.url, address).post("/en/forgot-password", { email, ...fields });
  const passed = await ask({ "cf-turnstile-response": await turnstile.token("reset") });
  expect(passed.headers.get("location")).toBe("/en/forgot-password?sent");
  const wrong = await ask({ "cf-turnstile-response": "invented" });
  expect([wrong.status, wrong.headers.get("location")]).toEqual([400, null]);
  const statuses: number[] = [];
  for (let times = 0; times < 6; times++) statuses.push((await ask()).status);
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  await turnstile.mode({ verdict: "down" });
  const down = await ask({ "cf-turnstile-response": await turnstile.token("reset") });
  expect(down.status).toBe(503);
});

test("accounts made without the challenge have a lower limit than others", async () => {
  const address = newAddress();
  const statuses: number[] = [];
  for (let times = 0; times < 6; times++) {
    const email = `held-${times}-${address}@example.com`;
    const response = await createClient(app.url, address).post("/en/sign-up", {
      email,
      password: PASSWORD,
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
});

test("where no challenge is configured failures ask for none", async () => {
  const { email } = await signUp(plain.url);
  for (let failure = 0; failure < 8; failure++)
    await createClient(plain.url).post("/en/sign-in", { email, password: "wrong password" });
  const response = await createClient(plain.url).post("/en/sign-in", { email, password: PASSWORD });
  expect(response.status).toBe(303);
});
