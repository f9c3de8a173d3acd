import { expect, test } from "vitest";
import type { FaultName } from "../../../scripts/sandbox/text/faults";
import { openTextSandbox } from "../../helpers/text-sandbox";

const text = openTextSandbox();

interface Chunk {
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  usage: object | null;
  error?: object;
}

function call(body: object, { key, signal }: { key?: string; signal?: AbortSignal } = {}) {
  const { TEXT_PROVIDER_API_BASE, TEXT_PROVIDER_KEY, TEXT_PROVIDER_MODEL } = text.sandbox.env;
  return fetch(`${TEXT_PROVIDER_API_BASE}/v1/chat/completions`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key ?? TEXT_PROVIDER_KEY}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ model: TEXT_PROVIDER_MODEL, messages: PROMPT, ...body }),
    ...(signal ? { signal } : {}),
  });
}

const ask = (content: string) => [{ role: "user", content }];
const PROMPT = ask("A story [tokens:30]");
const STREAM = { stream: true, stream_options: { include_usage: true } };

/** The events of a streamed answer; `broke` if its connection ended first. */
async function readEvents(response: Response) {
  const lines: string[] = [];
  let all = "";
  let broke = false;
  try {
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      all += Buffer.from(part.value).toString();
  } catch {
    broke = true;
  }
  for (const line of all.split("\n\n")) if (line) lines.push(line.replace(/^data: /, ""));
  const isDone = lines.at(-1) === "[DONE]";
  const chunks = (isDone ? lines.slice(0, -1) : lines).map((line) => JSON.parse(line) as Chunk);
  const pieces = chunks.flatMap(({ choices }) => choices?.[0]?.delta.content || []);
  const reasons = chunks.flatMap(({ choices }) => choices?.[0]?.finish_reason ?? []);
  const usage = chunks.flatMap((chunk) => chunk.usage ?? []);
  return {
    pieces,
    reasons,
    usage,
    isDone,
    broke,
    errors: chunks.flatMap((one) => one.error ?? []),
  };
}

test("whole and streamed, the same prompt has the same text, whose tokens are reported", async () => {
  const whole = await (await call({})).json();
  const streamed = await readEvents(await call(STREAM));
  expect(whole).toMatchObject({
    choices: [{ message: { content: streamed.pieces.join("") }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 30, total_tokens: 35 },
  });
  expect(streamed).toMatchObject({ reasons: ["stop"], isDone: true, usage: [whole.usage] });
  expect(streamed.pieces).toHaveLength(30);
  expect(await (await call({ messages: ask("Another [tokens:30]") })).json()).not.toMatchObject({
    choices: [{ message: { content: streamed.pieces.join("") } }],
  });
  expect(await text.control.calls()).toMatchObject({
    completions: 3,
    tokens: { input: 15, output: 90 },
    closed: 0,
    open: 0,
  });
});

test("usage is reported in a stream on request only, and a limit ends the text", async () => {
  const silent = await readEvents(await call({ stream: true, max_completion_tokens: 7 }));
  expect(silent).toMatchObject({ reasons: ["length"], usage: [], isDone: true });
  expect(silent.pieces).toHaveLength(7);
  expect((await text.control.calls()).asked).toEqual([
    { model: "sandbox-writer", stream: true, max_completion_tokens: 7 },
  ]);
});

test("a wrong key, an unknown model and an unknown parameter are refused", async () => {
  expect((await call({}, { key: "sk-other" })).status).toBe(401);
  expect((await call({ model: "gone" })).status).toBe(404);
  const unknown = await call({ prompt: "a text" });
  expect(unknown.status).toBe(400);
  expect(await unknown.json()).toMatchObject({
    error: { code: "unknown_parameter", param: "prompt" },
  });
});

test("a client that leaves is counted, and its text ends", async () => {
  const leaving = new AbortController();
  const response = await call(
    { ...STREAM, messages: ask("[tokens:2000000]") },
    { signal: leaving.signal },
  );
  await response.body?.getReader().read();
  expect(await text.control.calls()).toMatchObject({ open: 1, closed: 0 });
  leaving.abort();
  await expect.poll(() => text.control.calls()).toMatchObject({ open: 0, closed: 1 });
  const { output } = (await text.control.calls()).tokens;
  expect(output).toBeLessThan(2_000_000);
  expect((await text.control.calls()).tokens.output).toBe(output);
});

test.each<[FaultName, number]>([
  ["400", 400],
  ["401", 401],
  ["429", 429],
  ["500", 500],
  ["insufficient_quota", 429],
  ["refusal", 400],
])("%s is a refusal, once", async (fault, status) => {
  await text.control.order({ fault, retryAfter: 3 });
  const refused = await call(STREAM);
  expect(refused.status).toBe(status);
  expect(refused.headers.get("retry-after")).toBe("3");
  expect(await refused.json()).toMatchObject({ error: { message: expect.any(String) } });
  expect((await call({})).status).toBe(200);
});

test("an old endpoint refuses the new name of the limit only", async () => {
  await text.control.order({ fault: "old_limit", times: 2 });
  expect((await call({ max_completion_tokens: 5 })).status).toBe(400);
  expect((await call({ max_tokens: 5 })).status).toBe(200);
});

test.each<[FaultName, Partial<Awaited<ReturnType<typeof readEvents>>>]>([
  ["break", { reasons: [], isDone: false, broke: true }],
  ["end", { reasons: [], isDone: false, broke: false }],
  ["error", { reasons: [], isDone: false, errors: [expect.anything()] }],
  ["filter", { reasons: ["content_filter"], isDone: true }],
])("%s ends a text after so many pieces", async (fault, shown) => {
  await text.control.order({ fault, pieces: 4 });
  const events = await readEvents(await call(STREAM));
  expect(events).toMatchObject(shown);
  expect(events.pieces).toHaveLength(4);
});

test.each<[FaultName, object[]]>([
  ["usage_much", [{ prompt_tokens: 50, completion_tokens: 300 }]],
  ["usage_little", [{ prompt_tokens: 0, completion_tokens: 3 }]],
  ["usage_zero", [{ prompt_tokens: 0, completion_tokens: 0 }]],
  ["usage_absurd", [{ prompt_tokens: -7, completion_tokens: 1e300 }]],
  ["usage_none", []],
])("%s lies about the tokens, and the counters don't", async (fault, usage) => {
  await text.control.order({ fault });
  const events = await readEvents(await call(STREAM));
  expect(events).toMatchObject({ usage, isDone: true });
  expect((await text.control.calls()).tokens).toEqual({ input: 5, output: 30 });
});

test("a text comes at once, ignores its limit, is empty, stalls or never begins", async () => {
  await text.control.order({ fault: "one_piece" });
  expect((await readEvents(await call(STREAM))).pieces).toHaveLength(1);
  await text.control.order({ fault: "no_limit" });
  const long = await readEvents(await call({ ...STREAM, max_completion_tokens: 5 }));
  expect(long.pieces).toHaveLength(30);
  await text.control.order({ fault: "empty" });
  expect(await readEvents(await call(STREAM))).toMatchObject({ pieces: [], reasons: ["stop"] });

  for (const fault of ["stall", "hang"] as const) {
    await text.control.order({ fault });
    const silent = new AbortController();
    const waiting = call(STREAM, silent).then(readEvents, () => "nothing came");
    await expect.poll(async () => (await text.control.calls()).open).toBe(1);
    silent.abort();
    expect(await waiting).toEqual(
      fault === "hang" ? "nothing came" : expect.objectContaining({ broke: true }),
    );
    await expect.poll(async () => (await text.control.calls()).open).toBe(0);
  }
  expect((await text.control.calls()).closed).toBe(2);
});

test("naming a fault in the prompt shows it", async () => {
  expect((await call({ messages: ask("a text [sandbox:429]") })).status).toBe(429);
});
