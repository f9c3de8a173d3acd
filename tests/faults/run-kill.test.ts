import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { creditsFor } from "~/catalog";
import type { Provider } from "../../scripts/sandbox/images/faults";
import { type Person, signUp } from "../helpers/client";
import { holdUpdate } from "../helpers/hold-update";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { startTestServer } from "../helpers/test-server";
import { withImageServer } from "../helpers/with-image-server";

vi.setConfig({ testTimeout: 120_000 });

// Every test kills its own server process in the middle of an asynchronous run. `app` is the process that goes on.
const app = withImageServer();

const COST = creditsFor("image", 2);
const CREDITS = COST + 30;

interface Scene {
  provider: Provider;
  /** Starts the run whose process is killed. */
  begin(): Promise<void>;
}

interface Step {
  at: string;
  /** There is no such step at a provider without request ids. */
  needsIds?: true;
  env?: () => Promise<Record<string, string>>;
  /** Begins the run, and resolves at the moment at which its process is to die. Returns what follows its death. */
  reach(scene: Scene): Promise<(() => Promise<void>) | undefined>;
  /** The result where the provider has request ids, and where it has none. */
  byId: "result" | "refund";
  without: "result" | "refund";
  paid: number;
}

const runOf = async () => {
  const [run] = await app.sql<{ id: string; request: string | null; called: Date | null }>(
    `SELECT id, provider_request_id AS request, called_at AS called FROM metered_runs
     ORDER BY created_at DESC LIMIT 1`,
  );
  return run;
};

const STEPS: Step[] = [
  {
    at: "before the call was made",
    async reach({ begin }) {
      const held = await holdUpdate(app.databaseUrl, "called_at");
      await begin();
      await held.reached();
      return held.undo;
    },
    byId: "result",
    without: "result",
    paid: 1,
  },
  {
    at: "when the call was written, and not made",
    async reach({ begin }) {
      const held = await holdUpdate(app.databaseUrl, "called_at");
      await begin();
      await held.reached();
      return held.release;
    },
    byId: "refund",
    without: "refund",
    paid: 0,
  },
  {
    at: "while the provider accepts the call",
    async reach({ begin, provider }) {
      const fault = provider === "openai" ? "slow" : "slow_submit";
      await app.images.order({ provider, fault, delayMs: 60_000 });
      await begin();
      await expect.poll(async () => (await app.images.calls())[provider].paid).toBe(1);
      return undefined;
    },
    byId: "refund",
    without: "refund",
    paid: 1,
  },
  {
    at: "before the request's id was written",
    needsIds: true,
    async reach({ begin }) {
      const held = await holdUpdate(app.databaseUrl, "provider_request_id");
      await begin();
      await held.reached();
      return held.undo;
    },
    byId: "refund",
    without: "refund",
    paid: 1,
  },
  {
    at: "while it waits for the result",
    async reach({ begin, provider }) {
      await app.images.order({ provider, fault: "slow", delayMs: 5_000 });
      await begin();
      if (provider === "openai")
        await expect.poll(async () => (await app.images.calls()).openai.paid).toBe(1);
      else await expect.poll(async () => (await runOf())?.request).toBeTruthy();
      return undefined;
    },
    byId: "result",
    without: "refund",
    paid: 1,
  },
  {
    at: "while the images are being saved",
    env: silentStore,
    async reach({ begin }) {
      await begin();
      await expect.poll(() => storeReached).toBe(true);
      return undefined;
    },
    byId: "result",
    without: "refund",
    paid: 1,
  },
  {
    at: "before the result was written",
    async reach({ begin }) {
      const held = await holdUpdate(app.databaseUrl, "settled_at");
      await begin();
      await held.reached();
      return held.undo;
    },
    byId: "result",
    without: "refund",
    paid: 1,
  },
  {
    at: "while the result is being written",
    async reach({ begin }) {
      const held = await holdUpdate(app.databaseUrl, "settled_at");
      await begin();
      await held.reached();
      return held.release;
    },
    byId: "result",
    without: "result",
    paid: 1,
  },
];

let storeReached = false;

/** A store that accepts connections and says nothing. */
async function silentStore(): Promise<Record<string, string>> {
  storeReached = false;
  const silent = createServer(() => {
    storeReached = true;
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  return { S3_ENDPOINT: `http://127.0.0.1:${port}` };
}

const CASES = (["fal", "replicate", "openai"] as const).flatMap((provider) =>
  STEPS.filter(({ needsIds }) => provider !== "openai" || !needsIds).map((step) => ({
    ...step,
    provider,
    expected: provider === "openai" ? step.without : step.byId,
  })),
);

async function begin(person: Person, url: string): Promise<void> {
  const response = await fetch(`${url}/api/generate-image`, {
    method: "POST",
    headers: { Cookie: person.cookie(), Prefer: "respond-async" },
    body: JSON.stringify({ prompt: "a cat", n: 2 }),
  });
  expect([response.status, await response.text()]).toEqual([202, expect.anything()]);
}

async function expectEnd(person: Person, expected: "result" | "refund"): Promise<void> {
  const { id } = (await runOf()) ?? { id: "" };
  const look = async () => (await person.json("GET", `/api/runs/${id}`)).body;
  const isOver = async () => (await look()).status !== "running";
  await vi.waitUntil(isOver, { timeout: 40_000, interval: 200 });
  const run = await look();
  if (expected === "result") {
    expect(run).toMatchObject({ status: "succeeded", creditsCharged: COST, error: null });
    expect(run).toHaveProperty("result.images.length", 2);
  } else {
    expect(run).toMatchObject({ status: "failed", creditsCharged: 0, result: null });
  }
  const refunds = expected === "refund" ? [["refund", COST]] : [];
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", CREDITS],
    ["deduction", -COST],
    ...refunds,
  ]);
  await expectSoundLedger(app);
}

async function paidCalls(): Promise<number> {
  const { fal, replicate, openai } = await app.images.calls();
  return fal.paid + replicate.paid + openai.paid;
}

test.each(CASES)(
  "$provider, killed $at: one $expected, and $paid paid",
  async ({ provider, env, reach, expected, paid }) => {
    const victim = await startTestServer({
      DATABASE_URL: app.databaseUrl,
      ...app.imagesEnv,
      IMAGE_PROVIDER: provider,
      ...(await env?.()),
    });
    onTestFinished(() => void victim.process.kill("SIGKILL"));
    const person = await signUp(app.url);
    await giveCredits(app, person.email, CREDITS);
    const after = await reach({ provider, begin: () => begin(person, victim.url) });
    victim.process.kill("SIGKILL");
    await victim.stop();
    await after?.();
    // In place of half a minute.
    await app.sql("UPDATE metered_runs SET lease_until = now() - interval '1 second'");
    await expectEnd(person, expected);
    expect(await paidCalls()).toBe(paid);
  },
);

test("within a minute of the kill, whatever the lease: the result is there", async () => {
  const victim = await startTestServer({ DATABASE_URL: app.databaseUrl, ...app.imagesEnv });
  onTestFinished(() => void victim.process.kill("SIGKILL"));
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS);
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 1_000 });
  await begin(person, victim.url);
  await expect.poll(async () => (await runOf())?.request).toBeTruthy();
  victim.process.kill("SIGKILL");
  const killed = performance.now();
  await expectEnd(person, "result");
  expect(performance.now() - killed).toBeLessThan(60_000);
  expect(await paidCalls()).toBe(1);
});

/** A run whose credits were never taken, so that none can go back. Returns what takes it away. */
async function addFaultyRun(): Promise<() => Promise<void>> {
  const { email } = await signUp(app.url);
  await giveCredits(app, email, CREDITS);
  await app.sql(
    `INSERT INTO metered_runs (id, account_id, action, request_hash, unit_credits, unit_size, least_credits,
       units_reserved, credits_reserved, lease_until, deadline_at)
     SELECT gen_random_uuid(), id, 'text', '', 1, 1, 1, 5, 5, now(), now() FROM users WHERE email = $1`,
    [email],
  );
  const own = "account_id = (SELECT id FROM users WHERE email = $1)";
  return async () => {
    await app.sql(`DELETE FROM metered_runs WHERE ${own}`, [email]);
    await app.sql(`DELETE FROM usage_months WHERE ${own}`, [email]);
  };
}

test("a run that can't be refunded keeps no other from being gone on with", async () => {
  const victim = await startTestServer({ DATABASE_URL: app.databaseUrl, ...app.imagesEnv });
  onTestFinished(() => void victim.process.kill("SIGKILL"));
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS);
  onTestFinished(await addFaultyRun());
  await app.images.order({ provider: "fal", fault: "slow", delayMs: 1_000 });
  // Synchronous, so that no job names it.
  void fetch(`${victim.url}/api/generate-image`, {
    method: "POST",
    headers: { Cookie: person.cookie() },
    body: JSON.stringify({ prompt: "a cat", n: 2 }),
  }).catch(() => undefined);
  await expect.poll(async () => (await runOf())?.request).toBeTruthy();
  victim.process.kill("SIGKILL");
  await victim.stop();
  await app.sql("UPDATE metered_runs SET lease_until = now() WHERE action = 'image'");
  const open = () =>
    app.sql("SELECT status FROM metered_runs WHERE action = 'image' AND status = 'reserved'");
  await expect.poll(open).toEqual([]);
  const { body } = await person.json("GET", "/api/account/credits");
  expect(body.balance).toBe(CREDITS - COST);
  expect(await paidCalls()).toBe(1);
});
