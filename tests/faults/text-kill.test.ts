import { expect, onTestFinished, test, vi } from "vitest";
import { type Person, signUp } from "../helpers/client";
import { holdUpdate } from "../helpers/hold-update";
import { expectSoundLedger, giveCredits, ledgerOf } from "../helpers/ledger";
import { readAllEvents } from "../helpers/read-events";
import { startTestServer } from "../helpers/test-server";
import { withTextServer } from "../helpers/with-text-server";

vi.setConfig({ testTimeout: 90_000 });

// Every test kills its own server process in the middle of an asynchronous text. `app` is the process that goes on.
const app = withTextServer({}, { pieceMs: 5 });

const CREDITS = 5;

interface Step {
  at: string;
  /** Begins the text, and resolves when its process is to die. Returns what follows its death. */
  reach(begin: () => Promise<unknown>): Promise<(() => Promise<void>) | undefined>;
  end: "succeeded" | "failed";
  calls: number;
}

const STEPS: Step[] = [
  {
    at: "before the call was written",
    async reach(begin) {
      const held = await holdUpdate(app.databaseUrl, "called_at");
      await begin();
      await held.reached();
      return held.undo;
    },
    end: "succeeded",
    calls: 1,
  },
  {
    at: "when the call was written, and not made",
    async reach(begin) {
      const held = await holdUpdate(app.databaseUrl, "called_at");
      await begin();
      await held.reached();
      return held.release;
    },
    end: "failed",
    calls: 0,
  },
  {
    at: "while the text comes",
    async reach(begin) {
      await begin();
      await expect.poll(async () => (await app.texts.calls()).completions).toBe(1);
      return undefined;
    },
    end: "failed",
    calls: 1,
  },
  {
    at: "before the result was written",
    async reach(begin) {
      const held = await holdUpdate(app.databaseUrl, "settled_at");
      await begin();
      await held.reached();
      return held.undo;
    },
    end: "failed",
    calls: 1,
  },
  {
    at: "while the result is being written",
    async reach(begin) {
      const held = await holdUpdate(app.databaseUrl, "settled_at");
      await begin();
      await held.reached();
      return held.release;
    },
    end: "succeeded",
    calls: 1,
  },
];

async function begin(person: Person, url: string): Promise<string> {
  const response = await fetch(`${url}/api/generate-text`, {
    method: "POST",
    headers: { Cookie: person.cookie(), Prefer: "respond-async" },
    body: JSON.stringify({ prompt: "A story [tokens:400]" }),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { runId: string }).runId;
}

test.each(STEPS)("killed $at: $end, and $calls calls", async ({ reach, end, calls }) => {
  const victim = await startTestServer({ DATABASE_URL: app.databaseUrl, ...app.textEnv });
  onTestFinished(() => void victim.process.kill("SIGKILL"));
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS);
  let runId = "";
  const after = await reach(async () => {
    runId = await begin(person, victim.url);
  });
  victim.process.kill("SIGKILL");
  await victim.stop();
  await after?.();
  // In place of half a minute.
  await app.sql("UPDATE metered_runs SET lease_until = now() - interval '1 second'");
  const look = async () => (await person.json("GET", `/api/runs/${runId}`)).body;
  await vi.waitUntil(async () => (await look()).status !== "running", {
    timeout: 40_000,
    interval: 200,
  });
  expect(await look()).toMatchObject({ status: end });
  const net = (await ledgerOf(app, person.email)).reduce((sum, [, amount]) => sum + amount, 0);
  expect(net).toBe(CREDITS - Number((await look()).creditsCharged));
  if (end === "failed") expect(net).toBe(CREDITS);
  expect((await app.texts.calls()).completions).toBe(calls);
  await expectSoundLedger(app);
});

test("a stream and a run in flight at SIGTERM are told so, and their keys find the refunded runs", async () => {
  const old = await startTestServer({ DATABASE_URL: app.databaseUrl, ...app.textEnv });
  onTestFinished(() => void old.process.kill("SIGKILL"));
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS);
  const send = (url: string, headers: Record<string, string>, stream = false) =>
    fetch(`${url}/api/generate-text`, {
      method: "POST",
      headers: { Cookie: person.cookie(), ...headers },
      body: JSON.stringify({ prompt: "A story [tokens:400]", stream }),
    });
  const streamed = { "Idempotency-Key": "streamed" };
  const unawaited = { "Idempotency-Key": "unawaited", Prefer: "respond-async" };
  await app.texts.order({ fault: "stall", pieces: 10, times: 2 });
  const events = readAllEvents(await send(old.url, streamed, true));
  const accepted = await send(old.url, unawaited);
  expect(accepted.status).toBe(202);
  const { runId } = (await accepted.json()) as { runId: string };
  await expect.poll(async () => (await app.texts.calls()).open).toBe(2);
  await old.stop();
  expect((await events).at(-1)).toMatchObject({
    event: "error",
    data: { code: "server_stopping" },
  });
  expect(await (await send(app.url, streamed)).json()).toMatchObject({ code: "generation_failed" });
  const found = await send(app.url, unawaited);
  expect([found.status, await found.json()]).toMatchObject([202, { runId, status: "failed" }]);
  expect((await app.texts.calls()).completions).toBe(2);
  const { body } = await person.json("GET", "/api/account/credits");
  expect(body.balance).toBe(CREDITS);
  await expectSoundLedger(app);
});
