import { expect, test } from "vitest";
import { createClient, signUp } from "../helpers/client";
import { startTestServer } from "../helpers/test-server";
import { withTestServer } from "../helpers/with-test-server";

// One trusted proxy, so that a test can come from many addresses; the real limits.
const app = withTestServer({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });

let address = 0;
const newAddress = () => `198.51.${Math.floor(address / 250)}.${(address++ % 250) + 1}`;
let people = 0;
const newEmail = () => `limited-${people++}@example.com`;

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
  expect((await signIn(email, "correct horse battery", newAddress())).status).toBe(303);
});

test("right passwords do not count", async () => {
  const { email } = await signUp(app.url);
  const from = newAddress();
  for (let attempt = 0; attempt < 12; attempt++) {
    expect((await signIn(email, "correct horse battery", from)).status).toBe(303);
  }
});

test("parallel guesses cannot slip through together", async () => {
  const email = newEmail();
  const from = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => signIn(email, "wrong password", from)),
  );
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
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

test("uploads are limited to 60 a minute a user, and never before the input is checked", async () => {
  const client = await signUp(app.url);
  const request = (contentLength: number) =>
    client.json("POST", "/api/storage/upload", {
      filename: "a.png",
      contentType: "image/png",
      contentLength,
    });
  for (let count = 0; count < 60; count++) {
    expect((await request(10)).status).toBe(200);
    // Only so many may be pending.
    await app.sql("UPDATE files SET deleted_at = now()");
  }
  const limited = await request(10);
  expect([limited.status, limited.body.code]).toEqual([429, "rate_limited"]);
  expect(limited.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await request(0)).status).toBe(400);
  expect((await app.sql("SELECT id FROM files")).length).toBe(60);
  expect((await createClient(app.url).json("POST", "/api/storage/upload", {})).status).toBe(401);
});

test("sign-ups are limited to 100 an hour an address; faulty ones do not count", async () => {
  const from = newAddress();
  const post = (email: string) =>
    fetch(`${app.url}/en/sign-up`, {
      method: "POST",
      redirect: "manual",
      headers: { "X-Forwarded-For": from },
      body: new URLSearchParams({ email, password: "correct horse battery" }),
    });
  const statuses = await Promise.all(Array.from({ length: 101 }, () => post(newEmail())));
  expect(statuses.filter(({ status }) => status === 303)).toHaveLength(100);
  expect(statuses.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await post("not-an-address")).status).toBe(400);
});
