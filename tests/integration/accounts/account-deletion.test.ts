import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE, CURRENCY } from "~/catalog";
import { credits, PACK, PLAN } from "../../fixtures/sold";
import { storeApiKey } from "../../helpers/api-keys";
import { createClient, signUp } from "../../helpers/client";
import { expectSoundLedger, giveCredits } from "../../helpers/ledger";
import { storeImageRuns } from "../../helpers/stored-image-runs";
import { uploadFile } from "../../helpers/upload";
import { runMaintenance, withImageServer } from "../../helpers/with-image-server";

const app = withImageServer({ RATE_LIMIT_SCALE: "1000" });

const PASSWORD = { currentPassword: "correct horse battery" };

async function idOf(email: string): Promise<string> {
  const [row] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  return row?.id ?? "";
}

const isThere = async (email: string) => (await idOf(email)) !== "";

/** Creates a user who has some of every kind of data. */
async function customer() {
  const person = await signUp(app.url);
  const userId = await idOf(person.email);
  await app.sql(
    `INSERT INTO orders (user_id, provider, provider_checkout_id, sku_key, credits, amount, currency, status)
     VALUES ($1, 'stripe', 'cs_' || gen_random_uuid(), '${PACK.skuKey}', 100, 500, '${CURRENCY}', 'paid')`,
    [userId],
  );
  await app.sql("UPDATE users SET name = 'Ana Pérez' WHERE id = $1", [userId]);
  return { person, userId };
}

const subscribe = (userId: string, more = "") =>
  app.sql<{ id: string }>(
    `INSERT INTO subscriptions (user_id, provider, provider_subscription_id, plan_key, period, status, cancel_at_period_end)
     VALUES ($1, 'stripe', 'sub_' || gen_random_uuid(), '${PLAN.planKey}', 'month', ${more || "'active', false"})
     RETURNING id`,
    [userId],
  );

test("the page says what deleting does, and a GET does nothing", async () => {
  const { person } = await customer();
  const page = await (await person.fetch("/en/account/delete")).text();
  expect(page).toContain("You have no credits to lose.");
  expect(page).toContain("Your files, what you made and your prompts are deleted");
  expect(await isThere(person.email)).toBe(true);
});

test("deleting removes the user, keeps the ledger, and frees the email address", async () => {
  const { person, userId } = await customer();
  const { fileId } = await uploadFile(person);
  const url = (await person.json("GET", `/api/storage/files/${fileId}`)).body.url as string;
  const other = createClient(app.url);
  await other.post("/en/sign-in", { email: person.email, password: PASSWORD.currentPassword });

  const response = await person.post("/en/account/delete", PASSWORD);
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "/en/sign-in?done=deleted",
  ]);
  expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
  for (const client of [person, other])
    expect((await client.json("GET", "/api/storage/files")).status).toBe(401);

  const [row] = await app.sql<{ email: string }>(
    "SELECT email, name, password_hash, email_verified_at FROM users WHERE id = $1",
    [userId],
  );
  expect(row).toMatchObject({ name: null, password_hash: null, email_verified_at: null });
  expect(row?.email).toMatch(/^deleted-.{43}@deleted\.invalid$/);
  expect(await app.sql("SELECT status FROM orders WHERE user_id = $1", [userId])).toEqual([
    { status: "paid" },
  ]);
  for (const table of ["sessions", "verification_tokens", "oauth_accounts", "idempotency_keys"])
    expect(await app.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);

  // Even if its upload URL is still valid, the sweep deletes the object.
  await app.sql("UPDATE files SET created_at = now() - interval '1 day' WHERE user_id = $1", [
    userId,
  ]);
  await runMaintenance(app.url);
  expect(await app.sql("SELECT 1 FROM files WHERE user_id = $1", [userId])).toEqual([]);
  expect((await fetch(url)).status).toBe(404);

  const gone = await createClient(app.url).post("/en/sign-in", {
    email: person.email,
    password: PASSWORD.currentPassword,
  });
  expect(gone.status).toBe(400);
  const again = await createClient(app.url).post("/en/sign-up", {
    email: person.email,
    password: "another good password",
  });
  expect(again.status).toBe(303);
  expect(await idOf(person.email)).not.toBe(userId);
});

test("prompts and images are deleted, their charges stay, and the ledger is sound", async () => {
  const { person, userId } = await customer();
  await giveCredits(app, person.email, CREDITS_PER_IMAGE + 90);
  const made = await person.json("POST", "/api/generate-image", { prompt: "my secret garden" });
  expect(made.status).toBe(200);
  const page = await (await person.fetch("/en/account/delete")).text();
  expect(page).toContain(`You lose ${credits(90)}.`);
  expect((await person.post("/en/account/delete", PASSWORD)).status).toBe(303);
  const [generation] = await app.sql(
    `SELECT prompt, request_hash, images, status, credits_charged
     FROM image_generations JOIN metered_runs USING (id) WHERE account_id = $1`,
    [userId],
  );
  expect(generation).toEqual({
    prompt: "",
    request_hash: "",
    images: [],
    status: "settled",
    credits_charged: CREDITS_PER_IMAGE,
  });
  const files = await app.sql("SELECT 1 FROM files WHERE user_id = $1 AND deleted_at IS NULL", [
    userId,
  ]);
  expect(files).toEqual([]);
  await expectSoundLedger(app);
});

test.each([
  "'active', false",
  "'trialing', false",
  "'past_due', false",
  "'unpaid', false",
  "'paused', false",
  "'expired', false",
  "'incomplete', false",
  "'unknown', false",
])(
  "with a plan that is %s nothing is deleted, and the page leads to its cancellation",
  async (state) => {
    const { person, userId } = await customer();
    const [subscription] = await subscribe(userId, state);
    const response = await person.post("/en/account/delete", PASSWORD);
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain(`/en/account/billing/cancel?subscription=${subscription?.id}`);
    expect(page).toContain("You’d still be charged for your plan");
    expect(await isThere(person.email)).toBe(true);
  },
);

test("a plan that has ended doesn't prevent deletion", async () => {
  const { person, userId } = await customer();
  await subscribe(userId, "'canceled', false");
  expect((await person.post("/en/account/delete", PASSWORD)).status).toBe(303);
  expect(await isThere(person.email)).toBe(false);
});

test("while the provider can't be asked whether a plan ends, nothing is deleted", async () => {
  const { person, userId } = await customer();
  await subscribe(userId, "'active', true");
  const response = await person.post("/en/account/delete", PASSWORD);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain("hasn’t confirmed that your plan ends");
  expect(await isThere(person.email)).toBe(true);
});

test.each([
  ["no password", {}],
  ["a wrong one", { currentPassword: "wrong password" }],
  ["a long one", { currentPassword: "x".repeat(201) }],
])("%s is a 400 and deletes nothing", async (_name, fields) => {
  const { person } = await customer();
  const response = await person.post("/en/account/delete", fields as Record<string, string>);
  expect(response.status).toBe(400);
  expect(await isThere(person.email)).toBe(true);
});

test("while images are being made nothing is deleted", async () => {
  const { person } = await customer();
  const [runId] = await storeImageRuns(app, person.email, [{ prompt: "p", status: "reserved" }]);
  const response = await person.post("/en/account/delete", PASSWORD);
  expect(response.status).toBe(409);
  expect(await response.text()).toContain("Something you’ve paid for is still being made");
  expect(await isThere(person.email)).toBe(true);
  await app.sql("DELETE FROM image_generations WHERE id = $1", [runId]);
  await app.sql("DELETE FROM metered_runs WHERE id = $1", [runId]);
});

test("a program that always has a run going on can't put a deletion off: the first try ends its key", async () => {
  const { person } = await customer();
  const key = await storeApiKey(app, person.email, { scopes: ["read"] });
  const statusOf = async () => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${app.url}/api/account/credits`, { headers })).status;
  };
  expect(await statusOf()).toBe(200);
  const [runId] = await storeImageRuns(app, person.email, [{ prompt: "p", status: "reserved" }]);
  const response = await person.post("/en/account/delete", PASSWORD);
  expect(response.status).toBe(409);
  expect(await response.text()).toContain("Your API keys no longer work");
  expect(await statusOf()).toBe(401);
  await app.sql("DELETE FROM image_generations WHERE id = $1", [runId]);
  await app.sql("DELETE FROM metered_runs WHERE id = $1", [runId]);
  expect((await person.post("/en/account/delete", PASSWORD)).status).toBe(303);
});

test("five deletions at once, and uploads beside them, leave nothing that can be reached", async () => {
  const { person, userId } = await customer();
  const upload = () =>
    person.json("POST", "/api/storage/upload", {
      filename: "a.png",
      contentType: "image/png",
      contentLength: 3,
    });
  const responses = await Promise.all([
    ...Array.from({ length: 5 }, () => person.post("/en/account/delete", PASSWORD)),
    ...Array.from({ length: 5 }, () => upload()),
  ]);
  expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
  expect(responses.slice(0, 5).filter(({ status }) => status === 303).length).toBeGreaterThan(0);
  expect(await app.sql("SELECT 1 FROM sessions WHERE user_id = $1", [userId])).toEqual([]);
});

test("the export has all of the user's data, no secret, and nothing of other users", async () => {
  const { person } = await customer();
  const { fileId } = await uploadFile(person);
  const stranger = await customer();
  const response = await person.fetch("/en/account/export");
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="account-data.json"',
  );
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    profile: { email: person.email, name: "Ana Pérez", locale: "en", emailVerifiedAt: null },
    sessions: [{ userAgent: "node" }],
    signInProviders: [],
    files: [{ id: fileId, status: "confirmed" }],
    credits: { balance: 0, transactions: [] },
    generations: [],
    orders: [{ skuKey: PACK.skuKey, amount: 500, currency: CURRENCY }],
    subscriptions: [],
  });
  for (const secret of ["argon2", "tokenHash", "passwordHash", stranger.person.email])
    expect(text).not.toContain(secret);
});
