import { expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import { reservedInput } from "~/models/text/count-tokens";
import { createClient } from "../../helpers/client";
import { expectSoundLedger, giveCredits, ledgerOf } from "../../helpers/ledger";
import { readAllEvents, readEvents } from "../../helpers/read-events";
import { startTestServer } from "../../helpers/test-server";
import { SLICE, story, textPeople } from "../../helpers/text-people";
import { withTextServer } from "../../helpers/with-text-server";

const app = withTextServer();

const { personWith, send, write, runsOf } = textPeople(app);
const inputOf = (prompt: string) => Math.ceil(prompt.length / 4);

function tokensOf(done: Record<string, unknown> | undefined): number {
  const usage = done?.usage as Record<"inputTokens" | "outputTokens", number>;
  return usage.inputTokens + usage.outputTokens;
}

test("a text is charged by its tokens and comes whole", async () => {
  const person = await personWith(10);
  const { status, body } = await write(person, { prompt: story(30) });
  const tokens = { inputTokens: inputOf(story(30)), outputTokens: 30 };
  const charge = creditsFor("text", tokens.inputTokens + tokens.outputTokens);
  expect(status).toBe(200);
  expect(body).toEqual({
    runId: expect.any(String),
    text: expect.stringMatching(/^[A-Z][a-z .]*\.$/i),
    finishReason: "stop",
    usage: tokens,
    creditsCharged: charge,
    balance: 10 - charge,
  });
  expect((body.text as string).split(" ")).toHaveLength(30);
  expect((await app.texts.calls()).completions).toBe(1);
});

test("a stream begins with its run, sends the pieces and ends with the sums, uncompressed", async () => {
  const person = await personWith(10);
  const whole = (await write(person, { prompt: story(30) })).body;
  for (const ask of [
    () => send(person, { prompt: story(30), stream: true }, { "Accept-Encoding": "gzip, br" }),
    () => send(person, { prompt: story(30) }, { Accept: "text/event-stream" }),
  ]) {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
      "cache-control": expect.stringContaining("no-store"),
    });
    expect(response.headers.has("content-encoding")).toBe(false);
    const events = await readAllEvents(response);
    const [first, ...others] = events;
    const last = others.pop();
    const { runId } = first?.data ?? {};
    const creditsReserved = creditsFor("text", reservedInput(story(30)) + 1);
    expect(first).toEqual({ event: "run", data: { runId, creditsReserved } });
    expect(others.every(({ event }) => event === "delta")).toBe(true);
    expect(others.length).toBeGreaterThan(1);
    expect(others.map(({ data }) => data.text).join("")).toBe(whole.text);
    const { text: _text, balance: _balance, ...sums } = whole;
    expect(last).toMatchObject({ event: "done", data: { ...sums, runId } });
    expect(last?.data).not.toHaveProperty("text");
  }
});

test("the checks come in order: 404, 401, 400, 402, and before any stream", async () => {
  const off = await startTestServer({ DATABASE_URL: app.databaseUrl });
  try {
    const reply = await createClient(off.url).json("POST", "/api/generate-text", {});
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  } finally {
    await off.stop();
  }
  const nobody = await createClient(app.url).json("POST", "/api/generate-text", {});
  expect(nobody.status).toBe(401);
  const poor = await personWith(0);
  expect((await write(poor, { prompt: "", stream: true })).status).toBe(400);
  const response = await send(poor, { prompt: "a text", stream: true });
  expect(response.status).toBe(402);
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  expect(await response.json()).toMatchObject({
    code: "insufficient_credits",
    required: creditsFor("text", reservedInput("a text") + 1),
    balance: 0,
  });
  expect((await app.texts.calls()).completions).toBe(0);
});

test.each<[object, string]>([
  [{}, "prompt"],
  [{ prompt: " " }, "prompt"],
  [{ prompt: "a\0b" }, "prompt"],
  [{ prompt: "x".repeat(20_001) }, "prompt"],
  [{ prompt: "a", maxTokens: 0 }, "maxTokens"],
  [{ prompt: "a", maxTokens: 16_001 }, "maxTokens"],
  [{ prompt: "a", maxTokens: 1.5 }, "maxTokens"],
  [{ prompt: "a", stream: "yes" }, "stream"],
])("%j is a 400 that names %s", async (body, field) => {
  const person = await personWith(1);
  const reply = await write(person, body);
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_input"]);
  expect(Object.keys(reply.body.errors as object)).toEqual([field]);
  expect(await runsOf(person)).toEqual([]);
});

test("the longest prompt is taken, however it is escaped, and a body beyond 256 KiB is a 413", async () => {
  const person = await personWith(40);
  const escaped = `{"prompt":"${"\\ud83d\\ude00".repeat(10_000)}","maxTokens":1}`;
  const fetched = (body: string) => person.fetch("/api/generate-text", { method: "POST", body });
  const long = await fetched(escaped);
  expect([long.status, await long.json()]).toMatchObject([
    402,
    { required: creditsFor("text", 40_001) },
  ]);
  await giveCredits(app, person.email, 1);
  expect((await fetched(escaped)).status).toBe(200);
  expect((await fetched(`{"prompt":"${"x".repeat(256 * 1024)}"}`)).status).toBe(413);
});

test("without a limit, credits are taken one by one while the text goes on", async () => {
  const person = await personWith(20);
  const tokens = 3 * SLICE + 100;
  const { body } = await write(person, { prompt: story(tokens) });
  const used = inputOf(story(tokens)) + tokens;
  const charge = creditsFor("text", used);
  expect(body).toMatchObject({
    finishReason: "stop",
    creditsCharged: charge,
    balance: 20 - charge,
  });
  const ledger = await ledgerOf(app, person.email);
  const taken = ledger.filter(([type]) => type === "deduction");
  expect(taken.every(([, amount]) => amount === -1)).toBe(true);
  expect(ledger.reduce((sum, [, amount]) => sum + amount, 0)).toBe(20 - charge);
  // A slice is asked for before the last is used up.
  expect(taken.length - charge).toBeLessThanOrEqual(1);
});

test.each([true, false])(
  "a text ends with the credits, and uses them all (stream: %s)",
  async (stream) => {
    const credits = 3;
    const person = await personWith(credits);
    const body = { prompt: story(1_000_000), stream };
    const events = stream ? await readAllEvents(await send(person, body)) : [];
    const done = stream ? events.at(-1)?.data : (await write(person, body)).body;
    expect(done).toMatchObject({ finishReason: "credits", creditsCharged: credits, balance: 0 });
    expect(tokensOf(done)).toBe(credits * SLICE);
    await expect
      .poll(() => app.texts.calls())
      .toMatchObject({ open: 0, closed: 1, completions: 1 });
    expect(await ledgerOf(app, person.email)).toEqual([
      ["adjustment", credits],
      ...Array.from({ length: credits }, () => ["deduction", -1]),
    ]);
  },
);

test("a limit is reserved whole, ends the text, and what isn't used goes back", async () => {
  const person = await personWith(10);
  const maxTokens = 2 * SLICE;
  const short = await write(person, { prompt: story(50), maxTokens });
  const charge = creditsFor("text", inputOf(story(50)) + 50);
  expect(short.body).toMatchObject({ finishReason: "stop", creditsCharged: charge });
  const reserved = creditsFor("text", reservedInput(story(50)) + maxTokens);
  expect(await ledgerOf(app, person.email)).toEqual([
    ["adjustment", 10],
    ["deduction", -reserved],
    ["refund", reserved - charge],
  ]);
  const limited = await write(person, { prompt: story(50), maxTokens: 20 });
  expect(limited.body).toMatchObject({ finishReason: "length", usage: { outputTokens: 20 } });
  await app.texts.order({ fault: "no_limit" });
  const ignored = await write(person, { prompt: story(1_000_000), maxTokens: 20 });
  expect(ignored.body).toMatchObject({ finishReason: "length", usage: { outputTokens: 20 } });
});

test("the same key returns the same text, whole or as one piece, and makes one call", async () => {
  const person = await personWith(10);
  const headers = { "Idempotency-Key": "again" };
  const first = await write(person, { prompt: story(30) }, headers);
  const balance = async () => (await person.json("GET", "/api/account/credits")).body.balance;
  const left = await balance();
  expect(await write(person, { prompt: story(30) }, headers)).toEqual(first);
  const events = await readAllEvents(
    await send(person, { prompt: story(30), stream: true }, headers),
  );
  const { text, ...done } = first.body;
  expect(events).toEqual([
    { event: "run", data: { runId: done.runId, creditsReserved: 1 } },
    { event: "delta", data: { text } },
    { event: "done", data: done },
  ]);
  expect(await balance()).toBe(left);
  expect((await app.texts.calls()).completions).toBe(1);
  const other = await write(person, { prompt: story(31) }, headers);
  expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
});

test("a server that has lost its text provider still returns an earlier text, and refuses a new one", async () => {
  const person = await personWith(10);
  const { body } = await write(person, { prompt: story(30) }, { "Idempotency-Key": "kept" });
  const env = { ...app.textEnv, TEXT_PROVIDER_KEY: "" };
  const without = await startTestServer({ DATABASE_URL: app.databaseUrl, ...env });
  const ask = async (key: string) => {
    const response = await fetch(`${without.url}/api/generate-text`, {
      method: "POST",
      headers: { Cookie: person.cookie(), "Idempotency-Key": key },
      body: JSON.stringify({ prompt: story(30) }),
    });
    return [response.status, await response.json()];
  };
  expect(await ask("kept")).toEqual([200, body]);
  expect(await ask("new")).toMatchObject([500, { code: "generation_unavailable" }]);
  await without.stop();
});

test("a key whose text is still being written is a 409", async () => {
  const person = await personWith(10);
  await app.texts.order({ fault: "stall", pieces: 3 });
  const headers = { "Idempotency-Key": "busy" };
  const leaving = new AbortController();
  const options = {
    method: "POST",
    body: JSON.stringify({ prompt: story(30), stream: true }),
    headers,
  };
  const response = await person.fetch("/api/generate-text", { ...options, signal: leaving.signal });
  const events = readEvents(response);
  expect((await events.next()).value?.event).toBe("run");
  const busy = await write(person, { prompt: story(30) }, headers);
  expect([busy.status, busy.body.code]).toEqual([409, "idempotency_in_progress"]);
  leaving.abort();
  await expect.poll(async () => (await runsOf(person))[0]?.status).not.toBe("reserved");
});

test("a client that leaves its stream ends the call, and pays for what was written", async () => {
  const person = await personWith(10);
  await app.texts.order({ fault: "stall", pieces: SLICE + 10 });
  const leaving = new AbortController();
  const response = await person.fetch("/api/generate-text", {
    method: "POST",
    body: JSON.stringify({ prompt: story(1_000_000), stream: true }),
    headers: { "Idempotency-Key": "left" },
    signal: leaving.signal,
  });
  let pieces = 0;
  for await (const { event } of readEvents(response)) {
    if (event === "delta") pieces += 1;
    if (pieces === SLICE + 10) break;
  }
  leaving.abort();
  const charged = creditsFor("text", inputOf(story(1_000_000)) + SLICE + 10);
  await expect.poll(() => runsOf(person)).toEqual([{ status: "settled", error: null, charged }]);
  await expect.poll(() => app.texts.calls()).toMatchObject({ open: 0, closed: 1 });
  const again = await write(person, { prompt: story(1_000_000) }, { "Idempotency-Key": "left" });
  expect(again.body).toMatchObject({ finishReason: "interrupted", creditsCharged: charged });
  expect((again.body.text as string).split(" ")).toHaveLength(SLICE + 10);
});

test("a client that leaves before any text pays nothing", async () => {
  const person = await personWith(10);
  await app.texts.order({ fault: "hang" });
  const leaving = new AbortController();
  const response = await person.fetch("/api/generate-text", {
    method: "POST",
    body: JSON.stringify({ prompt: story(30), stream: true }),
    signal: leaving.signal,
  });
  expect((await readEvents(response).next()).value?.event).toBe("run");
  await expect.poll(() => app.texts.calls()).toMatchObject({ open: 1 });
  leaving.abort();
  await expect
    .poll(() => runsOf(person))
    .toEqual([{ status: "refunded", error: "generation_failed", charged: 0 }]);
  await expect.poll(() => app.texts.calls()).toMatchObject({ open: 0, closed: 1 });
});

test("fifty streams at once run an account dry: all is charged, and nothing more", async () => {
  const credits = 75;
  const person = await personWith(credits);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, nth) => {
      const ask = () => send(person, { prompt: `${nth} ${story(1_000_000)}`, stream: true });
      let response = await ask();
      // On a busy machine, no connection to the database came free in five seconds; nothing was taken.
      while (response.status === 503) response = await ask();
      // The last ones may come when nothing is left.
      if (response.status === 402) return null;
      const last = (await readAllEvents(response)).at(-1);
      expect(last?.event).toBe("done");
      return last?.data;
    }),
  );
  const replies = answers.filter((answer) => answer !== null);
  const charges = replies.map((done) => done?.creditsCharged as number);
  expect(new Set(replies.map((done) => done?.finishReason))).toEqual(new Set(["credits"]));
  expect(charges.reduce((sum, charge) => sum + charge, 0)).toBe(credits);
  expect((await person.json("GET", "/api/account/credits")).body.balance).toBe(0);
  // Nobody's text ends before all that it reserved is used.
  for (const done of replies) expect(tokensOf(done)).toBe((done?.creditsCharged as number) * SLICE);
  await expectSoundLedger(app);
  // 75,000 pieces: some 20 seconds of work.
}, 180_000);
