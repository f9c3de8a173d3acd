import { expect, test } from "vitest";
import { ACTIONS, costUsdMicrosOf, creditsFor } from "~/catalog";
import { createClient, signUp } from "../../helpers/client";
import { expectSoundLedger, giveCredits, ledgerOf } from "../../helpers/ledger";
import { startTestServer } from "../../helpers/test-server";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

const COST = creditsFor("image", 1);
const COST_OF_TWO = creditsFor("image", 2);
const COST_OF_FOUR = creditsFor("image", 4);

async function personWith(credits: number) {
  const person = await signUp(app.url);
  if (credits > 0) await giveCredits(app, person.email, credits);
  return person;
}

const generate = (
  person: Awaited<ReturnType<typeof personWith>>,
  body: Record<string, unknown> = { prompt: "a cat" },
  headers: Record<string, string> = {},
) =>
  person
    .fetch("/api/generate-image", { method: "POST", body: JSON.stringify(body), headers })
    .then(async (response) => ({
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
    }));

const totalCalls = async () => {
  const calls = await app.images.calls();
  return Object.values(calls).reduce((sum, counts) => sum + counts.generate, 0);
};

test("a run keeps its price, who made it, and what that cost us", async () => {
  const person = await personWith(10 * COST);
  expect((await generate(person, { prompt: "a cat", n: 2 })).status).toBe(200);
  const model = "fal-ai/flux/schnell";
  const [run] = await app.sql(
    `SELECT action, unit_credits, unit_size, least_credits, units_used, model, cost_usd_micros::int AS cost,
       account_id = actor_id AS own
     FROM metered_runs JOIN users ON users.id = account_id WHERE email = $1`,
    [person.email],
  );
  const { credits, per, least } = ACTIONS.image.price;
  expect(run).toEqual({
    action: "image",
    unit_credits: credits,
    unit_size: per,
    least_credits: least,
    units_used: 2,
    model,
    cost: costUsdMicrosOf("image", { provider: "fal", model, units: 2 }),
    own: true,
  });
});

test("two images cost what the catalog says and are kept as public files of ours", async () => {
  const person = await personWith(10 * COST);
  const { status, body } = await generate(person, { prompt: "a cat", n: 2, size: "landscape" });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    provider: "fal",
    creditsCharged: COST_OF_TWO,
    balance: 10 * COST - COST_OF_TWO,
  });
  const images = body.images as { url: string; persisted: boolean }[];
  expect(images).toHaveLength(2);
  for (const { url, persisted } of images) {
    expect(persisted).toBe(true);
    expect(url).toMatch(/\/sandbox\/public\/generated\/[0-9a-f]{32}\.png$/);
    const image = await fetch(url);
    expect(image.headers.get("content-type")).toBe("image/png");
  }
  const files = (await person.json("GET", "/api/storage/files")).body.files as object[];
  expect(files).toMatchObject(Array(2).fill({ status: "confirmed", access: "public" }));
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", 10 * COST],
    ["deduction", -COST_OF_TWO],
  ]);
});

test.each([
  [{}, "prompt"],
  [{ prompt: "" }, "prompt"],
  [{ prompt: "   " }, "prompt"],
  [{ prompt: "a\0b" }, "prompt"],
  [{ prompt: "x".repeat(4001) }, "prompt"],
  [{ prompt: 7 }, "prompt"],
  [{ prompt: "a", n: 0 }, "n"],
  [{ prompt: "a", n: 5 }, "n"],
  [{ prompt: "a", n: 1.5 }, "n"],
  [{ prompt: "a", n: "2" }, "n"],
  [{ prompt: "a", size: "huge" }, "size"],
])("%j is a 400 that names %s, and costs nothing", async (body, field) => {
  const person = await personWith(COST);
  const reply = await generate(person, body);
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_input"]);
  expect(Object.keys(reply.body.errors as object)).toEqual([field]);
  expect(await ledgerOf(app, person.email)).toEqual([["adjustment", COST]]);
});

test("the checks come in order: 404, 401, 400, 402", async () => {
  const off = await startTestServer({ DATABASE_URL: app.databaseUrl });
  try {
    const reply = await createClient(off.url).json("POST", "/api/generate-image", {});
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  } finally {
    await off.stop();
  }
  const nobody = await createClient(app.url).json("POST", "/api/generate-image", {});
  expect([nobody.status, nobody.body.code]).toEqual([401, "unauthenticated"]);
  const poor = await personWith(0);
  expect((await generate(poor, { prompt: "" })).status).toBe(400);
  const reply = await generate(poor, { prompt: "a cat", n: 3 });
  expect(reply.status).toBe(402);
  expect(reply.body).toMatchObject({
    code: "insufficient_credits",
    required: creditsFor("image", 3),
    balance: 0,
  });
  expect(await totalCalls()).toBe(0);
});

test("50 requests at once on a balance of 10 images, over two processes: exactly 10 succeed", async () => {
  const person = await personWith(10 * COST);
  const second = await startTestServer({ DATABASE_URL: app.databaseUrl, ...app.imagesEnv });
  try {
    const request = { method: "POST", headers: { Cookie: person.cookie() } };
    const ask = async (index: number): Promise<number> => {
      const body = JSON.stringify({ prompt: `cat ${index}` });
      const url = `${index % 2 ? second.url : app.url}/api/generate-image`;
      const { status } = await fetch(url, { ...request, body });
      // On a busy machine, no connection to the database came free in five seconds.
      return status === 503 ? ask(index) : status;
    };
    const statuses = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
    expect(statuses.sort()).toEqual([...Array(10).fill(200), ...Array(40).fill(402)]);
    expect(await totalCalls()).toBe(10);
    const { body } = await person.json("GET", "/api/account/credits");
    expect(body.balance).toBe(0);
    await expectSoundLedger(app);
  } finally {
    await second.stop();
  }
});

test("a generation that every provider fails is refunded in full, once", async () => {
  const person = await personWith(COST_OF_FOUR);
  for (const provider of ["fal", "replicate", "openai"] as const) {
    await app.images.order({ provider, fault: "500", times: 10 });
  }
  const reply = await generate(person, { prompt: "a cat", n: 4 });
  expect([reply.status, reply.body.code]).toEqual([500, "generation_failed"]);
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", COST_OF_FOUR],
    ["deduction", -COST_OF_FOUR],
    ["refund", COST_OF_FOUR],
  ]);
  await expectSoundLedger(app);
});

test("a prompt that the provider refuses is a 400 and refunded", async () => {
  const person = await personWith(COST);
  await app.images.order({ provider: "fal", fault: "refusal" });
  const reply = await generate(person);
  expect([reply.status, reply.body.code]).toEqual([400, "prompt_rejected"]);
  expect((await ledgerOf(app, person.email)).at(-1)).toEqual(["refund", COST]);
});

test("fewer images than asked for are charged as such", async () => {
  const person = await personWith(COST_OF_FOUR);
  await app.images.order({ provider: "fal", fault: "partial" });
  const reply = await generate(person, { prompt: "a cat", n: 4 });
  expect(reply.status).toBe(200);
  const came = (reply.body.images as unknown[]).length;
  expect(came).toBeLessThan(4);
  const charged = creditsFor("image", came);
  const back = COST_OF_FOUR - charged;
  expect(reply.body).toMatchObject({ creditsCharged: charged, balance: back });
  expect((await ledgerOf(app, person.email)).at(-1)).toEqual(["refund", back]);
  await expectSoundLedger(app);
});

test.each(["image_30mb", "image_html", "image_redirect"] as const)(
  "an image that cannot be saved (%s) is responded to under the provider's URL, without a refund",
  async (fault) => {
    const person = await personWith(COST);
    await app.images.order({ provider: "fal", fault });
    const reply = await generate(person);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ creditsCharged: COST, balance: 0 });
    expect(reply.body.images).toMatchObject([{ persisted: false }]);
    expect(await app.server.allLogs()).toContainEqual(
      expect.objectContaining({ msg: "generated image not saved" }),
    );
  },
);

test("the same Idempotency-Key and body get the same response and charge once", async () => {
  const person = await personWith(10 * COST);
  const headers = { "Idempotency-Key": "order-1" };
  const first = await generate(person, { prompt: "a cat" }, headers);
  const second = await generate(person, { prompt: "a cat" }, headers);
  expect(second).toEqual(first);
  expect(await totalCalls()).toBe(1);
  const other = await generate(person, { prompt: "a dog" }, headers);
  expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
  const stranger = await personWith(10 * COST);
  expect((await generate(stranger, { prompt: "a dog" }, headers)).status).toBe(200);
});

test("a refunded result is replayed too; a refusal before the charge isn't stored", async () => {
  const person = await personWith(0);
  const headers = { "Idempotency-Key": "order-2" };
  expect((await generate(person, { prompt: "a cat" }, headers)).status).toBe(402);
  await giveCredits(app, person.email, COST);
  await app.images.order({ provider: "fal", fault: "refusal" });
  const refused = await generate(person, { prompt: "a cat" }, headers);
  expect(refused.status).toBe(400);
  expect(await generate(person, { prompt: "a cat" }, headers)).toEqual(refused);
  expect(await ledgerOf(app, person.email)).toHaveLength(3);
});

test("twenty requests at once under one key are charged once; the others wait or see the response", async () => {
  const person = await personWith(10 * COST);
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 500 });
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      generate(person, { prompt: "a cat" }, { "Idempotency-Key": "order-3" }),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", 10 * COST],
    ["deduction", -COST],
  ]);
});

test.each(["a b", "\u00fc", "x".repeat(256)])("an Idempotency-Key of %j is a 400", async (key) => {
  const person = await personWith(COST);
  const reply = await generate(person, { prompt: "a" }, { "Idempotency-Key": key });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_input"]);
});

test("requests are limited to 60 a minute a user, before the body is read", async () => {
  const limited = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...app.imagesEnv,
    RATE_LIMIT_SCALE: "1",
    // Sign-ups are counted by address, and the others in this file came from this machine's.
    TRUST_PROXY: "1",
  });
  try {
    const person = await signUp(limited.url);
    const send = (body: object) => person.json("POST", "/api/generate-image", body);
    const responses = await Promise.all(Array.from({ length: 61 }, () => send({ prompt: "a" })));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(60).fill(402), 429]);
    expect((await send({})).status).toBe(429);
  } finally {
    await limited.stop();
  }
});

test("a named provider without its key is unavailable, and no other is called", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...app.imagesEnv,
    IMAGE_PROVIDER: "openai",
    IMAGE_PROVIDER_3_KEY: "",
  });
  try {
    const person = await signUp(server.url);
    await giveCredits(app, person.email, COST);
    const reply = await person.json("POST", "/api/generate-image", { prompt: "a" });
    expect([reply.status, reply.body.code]).toEqual([500, "generation_unavailable"]);
    expect(await totalCalls()).toBe(0);
    expect(await ledgerOf(app, person.email)).toEqual([["adjustment", COST]]);
  } finally {
    await server.stop();
  }
});

test("prompts and keys are in no log line", async () => {
  const person = await personWith(COST);
  await generate(person, { prompt: "a very private picture" });
  const logs = JSON.stringify(await app.server.allLogs());
  expect(logs).toContain("image attempt");
  expect(logs).not.toContain("very private");
  expect(logs).not.toContain(app.imagesEnv.IMAGE_PROVIDER_1_KEY);
});
