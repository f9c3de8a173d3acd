import { expect, test } from "vitest";
import { createClient, newAddress, PASSWORD, signUp } from "../helpers/client";
import { startTestServer } from "../helpers/test-server";
import { withTestServer } from "../helpers/with-test-server";

// One trusted proxy, so that a test can use many addresses; the real limits.
const app = withTestServer({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });

let people = 0;
const newEmail = () => `limited-${people++}@example.com`;

/** Makes tries, six at a time: a network may have no more new passwords judged at once. */
async function inSixes(count: number, attempt: () => Promise<Response>): Promise<Response[]> {
  const responses: Response[] = [];
  while (responses.length < count) {
    const length = Math.min(6, count - responses.length);
    responses.push(...(await Promise.all(Array.from({ length }, attempt))));
  }
  return responses;
}

const signIn = (email: string, password: string, from: string, url = app.url) =>
  fetch(`${url}/en/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { "X-Forwarded-For": from },
    body: new URLSearchParams({ email, password }),
  });

test("the eleventh wrong password from one address within 15 minutes is a 429 with Retry-After", async () => {
  const email = newEmail();
  const from = newAddress();
  for (let attempt = 0; attempt < 10; attempt++) {
    expect((await signIn(email, "wrong password", from)).status).toBe(400);
  }
  const limited = await signIn(email, "wrong password", from);
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(800);
  expect(await limited.text()).toContain("Too many attempts");
});

test("the owner is not locked out by somebody else's guesses", async () => {
  const { email } = await signUp(app.url);
  const attacker = newAddress();
  for (let attempt = 0; attempt < 11; attempt++) await signIn(email, "wrong password", attacker);
  expect((await signIn(email, PASSWORD, newAddress())).status).toBe(303);
});

test("right passwords do not count as failures", async () => {
  const { email } = await signUp(app.url);
  const from = newAddress();
  for (let attempt = 0; attempt < 12; attempt++) {
    expect((await signIn(email, PASSWORD, from)).status).toBe(303);
  }
  expect((await signIn(email, "wrong password", from)).status).toBe(400);
});

test("an account may be signed in to 20 times in 15 minutes, from wherever", async () => {
  const { email } = await signUp(app.url);
  const responses = await Promise.all(
    Array.from({ length: 25 }, () => signIn(email, PASSWORD, newAddress())),
  );
  expect(responses.filter(({ status }) => status === 303)).toHaveLength(20);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(5);
  const sessions = await app.sql(
    "SELECT s.id FROM sessions s JOIN users u ON u.id = user_id WHERE email = $1",
    [email],
  );
  expect(sessions).toHaveLength(21);
});

test("an address may sign in 60 times in 15 minutes, over all accounts", async () => {
  const from = newAddress();
  const statuses: number[] = [];
  for (let account = 0; account < 8; account++) {
    const { email } = await signUp(app.url);
    // No more than the failures allowed for one account and address: all count as failures
    // meanwhile.
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => signIn(email, PASSWORD, from)),
    );
    statuses.push(...responses.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 303)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
});

test("parallel guesses cannot slip through together", async () => {
  const email = newEmail();
  const from = newAddress();
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => signIn(email, "wrong password", from)),
  );
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
});

test("one address may fail 50 times in 15 minutes, over all accounts", async () => {
  const from = newAddress();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 51; attempt++) {
    statuses.push((await signIn(newEmail(), "wrong password", from)).status);
  }
  expect(statuses.slice(0, 50)).toEqual(Array(50).fill(400));
  expect(statuses[50]).toBe(429);
});

test("the window ends", async () => {
  const email = newEmail();
  const from = newAddress();
  for (let attempt = 0; attempt < 11; attempt++) await signIn(email, "wrong password", from);
  await app.sql("UPDATE rate_limits SET expires_at = now() - interval '1 second'");
  expect((await signIn(email, "wrong password", from)).status).toBe(400);
});

test("the limit holds across processes", async () => {
  const second = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    RATE_LIMIT_SCALE: "1",
    TRUST_PROXY: "1",
  });
  try {
    const email = newEmail();
    const from = newAddress();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      const url = attempt % 2 ? second.url : app.url;
      statuses.push((await signIn(email, "wrong password", from, url)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  } finally {
    await second.stop();
  }
});

test("uploads are limited to 60 a minute a user, before the body is read", async () => {
  const client = await signUp(app.url);
  const request = (contentLength: number) =>
    client.json("POST", "/api/storage/upload", {
      filename: "a.png",
      contentType: "image/png",
      contentLength,
    });
  for (let count = 0; count < 60; count++) expect((await request(10)).status).toBe(200);
  const limited = await request(10);
  expect([limited.status, limited.body.code]).toEqual([429, "rate_limited"]);
  expect(limited.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await request(0)).status).toBe(429);
  expect((await app.sql("SELECT id FROM files")).length).toBe(60);
  expect((await createClient(app.url).json("POST", "/api/storage/upload", {})).status).toBe(401);
});

test("sign-ups are limited to 10 an hour an address; faulty ones do not count", async () => {
  const { post } = createClient(app.url);
  const attempt = (fields: Record<string, string>) =>
    post("/en/sign-up", { email: newEmail(), password: PASSWORD, ...fields });
  expect((await attempt({ email: "not-an-address" })).status).toBe(400);
  expect((await attempt({ password: "password1234" })).status).toBe(400);
  const responses = await inSixes(12, () => attempt({}));
  expect(responses.filter(({ status }) => status === 303)).toHaveLength(10);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
});

test("asking whether an address has an account counts as a sign-up", async () => {
  const { email } = await signUp(app.url);
  const { post } = createClient(app.url);
  const statuses: number[] = [];
  for (let time = 0; time < 11; time++)
    statuses.push((await post("/en/sign-up", { email, password: PASSWORD })).status);
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
});

test("the check of new passwords is limited to 30 in 15 minutes an address", async () => {
  const { post } = createClient(app.url);
  const attempt = () => post("/en/sign-up", { email: newEmail(), password: "password1234" });
  const responses = await inSixes(31, attempt);
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(30);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
});
