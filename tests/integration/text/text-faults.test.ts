import { afterAll, beforeAll, expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import type { FaultName } from "../../../scripts/sandbox/text/faults";
import { signUp } from "../../helpers/client";
import { expectSoundLedger, giveCredits, ledgerOf } from "../../helpers/ledger";
import { readAllEvents } from "../../helpers/read-events";
import { someOf } from "../../helpers/runs";
import { IN_FIVE_SECONDS } from "../../helpers/stopping-time";
import { startTestServer, type TestServer } from "../../helpers/test-server";
import { withTextServer } from "../../helpers/with-text-server";

const app = withTextServer();
/** A second server, whose runs have little time: a call that hangs or stalls is ended soon. */
let impatient: TestServer;
beforeAll(async () => {
  const env = { DATABASE_URL: app.databaseUrl, ...app.textEnv, GENERATION_TTL: "10" };
  impatient = await startTestServer(env);
});
afterAll(() => impatient.stop());

const CREDITS = 30;
const PROMPT = "A story [tokens:2600]";
const INPUT = Math.ceil(PROMPT.length / 4);
const PIECES = 1500;

type Outcome =
  | { code: "generation_failed" | "prompt_rejected" }
  | { finishReason: string; tokens: [input: number, output: number] };

const failed: Outcome = { code: "generation_failed" };
const broken: Outcome = { finishReason: "interrupted", tokens: [INPUT, PIECES] };
const written = (input: number, output: number): Outcome => ({
  finishReason: "stop",
  tokens: [input, output],
});

/** The outcome of each fault. A fault that isn't here does not compile. */
const OUTCOMES: Record<FaultName, Outcome> = {
  "400": failed,
  "401": failed,
  "402": failed,
  "403": failed,
  "404": failed,
  "429": failed,
  "500": failed,
  "503": failed,
  insufficient_quota: failed,
  refusal: { code: "prompt_rejected" },
  // Without a limit there is nothing to refuse.
  old_limit: written(INPUT, 2600),
  hang: failed,
  reset: failed,
  invalid_json: failed,
  empty: failed,
  stall: broken,
  break: broken,
  end: broken,
  error: broken,
  filter: broken,
  no_limit: written(INPUT, 2600),
  one_piece: written(INPUT, 2600),
  usage_much: written(INPUT * 10, 26_000),
  usage_little: written(Math.floor(INPUT / 10), 260),
  usage_none: written(INPUT, 2600),
  usage_zero: written(INPUT, 2600),
  usage_absurd: written(INPUT, 2600),
};

const FORMS = ["JSON", "stream"] as const;

/** In `npm test` each fault comes in one of the forms. */
const CASES = (Object.keys(OUTCOMES) as FaultName[]).flatMap((fault, at) =>
  someOf(FORMS, 2, at % 2).map((form) => [fault, form] as const),
);

test.each(CASES)("%s, %s", async (fault, form) => {
  const isEndless = fault === "hang" || fault === "stall";
  const person = await signUp(isEndless ? impatient.url : app.url);
  await giveCredits(app, person.email, CREDITS);
  await app.texts.order({ fault, pieces: PIECES });
  const body = JSON.stringify({ prompt: PROMPT, stream: form === "stream" });
  const response = await person.fetch("/api/generate-text", { method: "POST", body });
  const events = form === "stream" ? await readAllEvents(response) : [];
  const reply = form === "stream" ? events.at(-1)?.data : await response.json();

  const outcome = OUTCOMES[fault];
  const { completions, closed } = await app.texts.calls();
  expect(completions).toBe(1);
  if ("code" in outcome) {
    expect(reply).toMatchObject(outcome);
    if (form === "stream") expect(events.map(({ event }) => event)).toEqual(["run", "error"]);
    else expect(response.status).toBe(outcome.code === "prompt_rejected" ? 400 : 500);
    const net = (await ledgerOf(app, person.email)).reduce((sum, [, amount]) => sum + amount, 0);
    expect(net).toBe(CREDITS);
  } else {
    const [inputTokens] = outcome.tokens;
    const { usage } = reply as { usage: { outputTokens: number } };
    // Of a connection that breaks, pieces that were not read yet are lost.
    const outputTokens =
      fault === "break" ? Math.min(PIECES, usage.outputTokens) : outcome.tokens[1];
    expect(outputTokens).toBeGreaterThan(0);
    // The charge is at most the reservation so far.
    const ledger = await ledgerOf(app, person.email);
    const taken = ledger.filter(([type]) => type === "deduction").length;
    const charge = Math.min(taken, creditsFor("text", inputTokens + outputTokens));
    expect(reply).toMatchObject({
      finishReason: outcome.finishReason,
      usage: { inputTokens, outputTokens },
      creditsCharged: charge,
      balance: CREDITS - charge,
    });
    expect(ledger.reduce((sum, [, amount]) => sum + amount, 0)).toBe(CREDITS - charge);
    if (form === "stream") expect(events.at(-1)?.event).toBe("done");
  }
  if (isEndless) expect(closed).toBe(1);
  await expectSoundLedger(app);
});

test("a provider that reports ten times the tokens is paid what was reserved", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS);
  await app.texts.order({ fault: "usage_much" });
  const { body } = await person.json("POST", "/api/generate-text", { prompt: PROMPT });
  expect(body.creditsCharged).toBeLessThanOrEqual(creditsFor("text", INPUT + 2600) + 1);
});

test("of a text that ends at its limit, what the provider reports counts", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, CREDITS);
  await app.texts.order({ fault: "usage_little" });
  const { body } = await person.json("POST", "/api/generate-text", {
    prompt: PROMPT,
    maxTokens: 1_000,
  });
  expect(body).toMatchObject({ finishReason: "length", usage: { outputTokens: 100 } });
});

test("a text that its server's end cuts off says so, and goes back", IN_FIVE_SECONDS, async () => {
  const ending = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...app.textEnv,
    GENERATION_TTL: "60",
  });
  const person = await signUp(ending.url);
  await giveCredits(app, person.email, CREDITS);
  await app.texts.order({ fault: "stall", pieces: 10 });
  const body = JSON.stringify({ prompt: PROMPT });
  const sent = person.fetch("/api/generate-text", { method: "POST", body });
  await expect.poll(async () => (await app.texts.calls()).open).toBe(1);
  ending.process.kill("SIGTERM");
  const response = await sent;
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await response.json()).toMatchObject({ code: "server_stopping" });
  await ending.stop();
  const net = (await ledgerOf(app, person.email)).reduce((sum, [, amount]) => sum + amount, 0);
  expect(net).toBe(CREDITS);
});
