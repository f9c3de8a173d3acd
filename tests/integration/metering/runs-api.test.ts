import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { type Person, signUp } from "../../helpers/client";
import { giveCredits, ledgerOf } from "../../helpers/ledger";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

async function personWith(images: number): Promise<Person> {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, images * CREDITS_PER_IMAGE);
  return person;
}

interface Sent {
  prefer?: string | null;
  key?: string;
  body?: object;
}

const generate = (person: Person, { prefer = "respond-async", key, body }: Sent = {}) =>
  person.fetch("/api/generate-image", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(prefer === null ? {} : { Prefer: prefer }),
      ...(key ? { "Idempotency-Key": key } : {}),
    },
    body: JSON.stringify(body ?? { prompt: "a cat" }),
  });

const runAt = async (person: Person, path: string) => (await person.json("GET", path)).body;

async function ended(person: Person, path: string) {
  await expect.poll(async () => (await runAt(person, path)).status).not.toBe("running");
  return runAt(person, path);
}

test("a request that prefers not to wait gets its run at once, and the images at the run's address", async () => {
  const person = await personWith(3);
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 4_000 });
  const response = await generate(person, { prefer: "wait=5, Respond-Async" });
  expect(response.status).toBe(202);
  const run = await response.json();
  const path = response.headers.get("Location") ?? "";
  expect(path).toBe(`/api/runs/${run.runId}`);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "preference-applied": "respond-async",
    "retry-after": "2",
    "cache-control": "no-store",
  });
  expect(run).toMatchObject({
    action: "image",
    status: "running",
    unit: "image",
    unitsReserved: 1,
    unitsUsed: 0,
    creditsReserved: CREDITS_PER_IMAGE,
    creditsCharged: 0,
    balance: null,
    result: null,
    error: null,
    endedAt: null,
  });
  expect(await ended(person, path)).toMatchObject({
    runId: run.runId,
    status: "succeeded",
    unitsUsed: 1,
    creditsCharged: CREDITS_PER_IMAGE,
    balance: 2 * CREDITS_PER_IMAGE,
    provider: "fal",
    result: { images: [{ url: expect.any(String), persisted: true }] },
    endedAt: expect.any(String),
  });
});

test("the same key gets the same run at any time with the preference, and what section 6 says without it", async () => {
  const person = await personWith(3);
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 5_000 });
  const key = "once";
  const first = await (await generate(person, { key })).json();
  const again = await generate(person, { key });
  expect([again.status, (await again.json()).runId]).toEqual([202, first.runId]);
  expect((await generate(person, { key, prefer: null })).status).toBe(409);
  expect((await generate(person, { key, body: { prompt: "a dog" } })).status).toBe(422);
  await ended(person, `/api/runs/${first.runId}`);
  const late = await generate(person, { key });
  expect([late.status, await late.json()]).toMatchObject([
    202,
    { runId: first.runId, status: "succeeded" },
  ]);
  const waited = await generate(person, { key, prefer: null });
  expect([waited.status, await waited.json()]).toMatchObject([200, { generationId: first.runId }]);
  expect(await ledgerOf(app, person.email)).toHaveLength(2);
});

test("refusals come before the 202", async () => {
  const person = await personWith(1);
  const statuses = [
    await generate(person, { body: { prompt: "" } }),
    await generate(person, { body: { prompt: "a cat", n: 2 } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([400, 402]);
  expect(await runAt(person, "/api/runs")).toEqual({ runs: [], nextCursor: null });
});

test("a run that fails says why, with the code of the response that waits", async () => {
  const person = await personWith(1);
  await app.images.order({ provider: "fal", fault: "refusal" });
  const response = await generate(person);
  expect(await ended(person, response.headers.get("Location") ?? "")).toMatchObject({
    status: "failed",
    creditsCharged: 0,
    balance: CREDITS_PER_IMAGE,
    result: null,
    error: { code: "prompt_rejected", detail: expect.stringContaining("refunded") },
  });
});

test("nobody sees another's run", async () => {
  const [ada, bob] = [await personWith(1), await personWith(1)];
  const path = (await generate(ada)).headers.get("Location") ?? "";
  for (const address of [path, "/api/runs/not-a-uuid", `/api/runs/${crypto.randomUUID()}`]) {
    const found = await bob.json("GET", address);
    expect([found.status, found.body.code]).toEqual([404, "run_not_found"]);
  }
  expect(await runAt(bob, "/api/runs")).toMatchObject({ runs: [] });
});

test("runs are listed newest first, page by page, each once", async () => {
  const person = await personWith(1);
  await generate(person);
  await app.sql(
    `INSERT INTO metered_runs (id, account_id, action, request_hash, unit_credits, unit_size, least_credits,
       units_reserved, credits_reserved, status, error, lease_until, deadline_at, created_at, settled_at)
     SELECT gen_random_uuid(), users.id, 'image', '', 1, 1, 1, 1, 1, 'refunded', 'generation_failed', now(), now(),
       now() - make_interval(secs => n / 2), now()
     FROM users, generate_series(1, 120) AS n WHERE email = $1`,
    [person.email],
  );
  const pages: { runId: string; createdAt: string }[][] = [];
  let cursor: unknown = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${String(cursor)}`;
    const page = await runAt(person, `/api/runs?action=image${query}`);
    pages.push(page.runs as { runId: string; createdAt: string }[]);
    cursor = page.nextCursor;
  } while (cursor !== null);
  const all = pages.flat();
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 21]);
  expect(new Set(all.map(({ runId }) => runId)).size).toBe(121);
  const times = all.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort().reverse());
  expect((await person.json("GET", "/api/runs?action=nothing")).status).toBe(400);
});
