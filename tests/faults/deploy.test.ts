import { expect, onTestFinished, test, vi } from "vitest";
import { creditsFor } from "~/catalog";
import { type Person, signUp } from "../helpers/client";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { startTestServer, type TestServer } from "../helpers/test-server";
import { withImageServer } from "../helpers/with-image-server";

vi.setConfig({ testTimeout: 180_000 });

/** The next process, which runs already when the old one is told to stop. */
const app = withImageServer();

const COST = creditsFor("image", 1);

async function startOld(env: Record<string, string> = {}): Promise<TestServer> {
  const old = await startTestServer({ DATABASE_URL: app.databaseUrl, ...app.imagesEnv, ...env });
  onTestFinished(() => void old.process.kill("SIGKILL"));
  return old;
}

async function personWith(runs: number): Promise<Person> {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, runs * COST);
  return person;
}

const generate = (old: TestServer, person: Person, headers: Record<string, string> = {}) =>
  fetch(`${old.url}/api/generate-image`, {
    method: "POST",
    headers: { Cookie: person.cookie(), ...headers },
    body: JSON.stringify({ prompt: "a cat" }),
  });

const count = async ({ email }: Person, condition: string) => {
  const [row] = await app.sql<{ runs: number }>(
    `SELECT count(*)::int AS runs FROM metered_runs JOIN users ON users.id = account_id
     WHERE email = $1 AND ${condition}`,
    [email],
  );
  return row?.runs ?? 0;
};

const resumed = () => app.server.logs.filter(({ msg }) => msg === "run resumed").length;

test("a deploy amid 50 running generations: 50 results, no refund, 50 paid calls, within 5 seconds", async () => {
  const each = 25;
  const person = await personWith(2 * each);
  const providers = ["fal", "replicate"] as const;
  const old = await Promise.all(providers.map((name) => startOld({ IMAGE_PROVIDER: name })));
  for (const provider of providers)
    await app.images.order({ provider, fault: "slow", delayMs: 15_000, times: each });
  const asked = old.flatMap((server) =>
    Array.from({ length: each }, () => generate(server, person, { Prefer: "respond-async" })),
  );
  const taken = (await Promise.all(asked)).map(({ status }) => status);
  expect(new Set(taken)).toEqual(new Set([202]));
  await expect
    .poll(() => count(person, "provider_request_id IS NOT NULL"), { timeout: 20_000 })
    .toBe(2 * each);
  const before = resumed();
  const stopped = performance.now();
  const ends = old.map((server) => server.stop());
  await vi.waitUntil(() => resumed() - before >= 2 * each, { timeout: 20_000, interval: 50 });
  const seconds = (performance.now() - stopped) / 1_000;
  await Promise.all(ends);
  await expect
    .poll(() => count(person, "metered_runs.status = 'reserved'"), { timeout: 90_000 })
    .toBe(0);
  expect([
    await count(person, "metered_runs.status = 'settled'"),
    await count(person, "metered_runs.status = 'refunded'"),
  ]).toEqual([50, 0]);
  const { fal, replicate } = await app.images.calls();
  expect([fal.paid, replicate.paid]).toEqual([each, each]);
  expect(await ledgerOf(app, person.email)).toHaveLength(1 + 2 * each);
  await expectSoundLedger(app);
  expect(seconds).toBeLessThan(5);
});

test.each(["fal", "replicate"] as const)(
  "%s: a request that waits at SIGTERM is told so, and its key finds the run",
  async (provider) => {
    const old = await startOld({ IMAGE_PROVIDER: provider });
    const person = await personWith(1);
    await app.images.order({ provider, fault: "slow", delayMs: 8_000 });
    const keyed = { "Idempotency-Key": `deploy-${provider}` };
    const response = generate(old, person, keyed);
    await expect
      .poll(() => count(person, "metered_runs.status = 'reserved' AND provider_request_id <> ''"))
      .toBe(1);
    await old.stop();
    const told = await response;
    expect([told.status, told.headers.get("Retry-After")]).toEqual([503, "5"]);
    const problem = (await told.json()) as { code: string; runId: string };
    expect(problem.code).toBe("server_stopping");
    const run = () => person.json("GET", `/api/runs/${problem.runId}`);
    expect((await run()).body).toMatchObject({ status: "running" });
    expect((await generate(app.server, person, keyed)).status).toBe(409);
    await vi.waitUntil(async () => (await run()).body.status !== "running", 40_000);
    const again = await generate(app.server, person, keyed);
    expect([again.status, await again.json()]).toMatchObject([
      200,
      { generationId: problem.runId, creditsCharged: COST },
    ]);
    expect((await app.images.calls())[provider].paid).toBe(1);
    expect(await ledgerOf(app, person.email)).toHaveLength(2);
  },
);

test("a run that waits to ask its provider again is left at once: the next process waits for the rest, and asks", async () => {
  const old = await startOld({ IMAGE_PROVIDER: "openai" });
  const person = await personWith(1);
  await app.images.order({ provider: "openai", fault: "429", retryAfter: 6 });
  expect((await generate(old, person, { Prefer: "respond-async" })).status).toBe(202);
  const isAsked = () => old.logs.some(({ msg }) => msg === "image attempt");
  await expect.poll(isAsked).toBe(true);
  await old.stop();
  await expect
    .poll(() => count(person, "metered_runs.status = 'settled'"), { timeout: 20_000 })
    .toBe(1);
  expect((await app.images.calls()).openai).toMatchObject({ generate: 2, paid: 1 });
  expect(await ledgerOf(app, person.email)).toHaveLength(2);
});

test("a request whose provider has no ids is told so, too, and is refunded", async () => {
  const old = await startOld({ IMAGE_PROVIDER: "openai" });
  const person = await personWith(1);
  await app.images.order({ provider: "openai", fault: "slow", delayMs: 60_000 });
  const response = generate(old, person, { "Idempotency-Key": "deploy-openai" });
  await expect.poll(async () => (await app.images.calls()).openai.paid).toBe(1);
  await old.stop();
  const told = await response;
  expect([told.status, told.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await told.json()).toMatchObject({ code: "server_stopping" });
  expect(await ledgerOf(app, person.email)).toHaveLength(3);
  const again = await generate(app.server, person, { "Idempotency-Key": "deploy-openai" });
  expect([again.status, await again.json()]).toMatchObject([500, { code: "generation_failed" }]);
  await expectSoundLedger(app);
});
