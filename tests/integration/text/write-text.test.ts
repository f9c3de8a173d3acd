import { beforeEach, expect, test } from "vitest";
import { askModel } from "~/services/language-model/ask-model.server";
import type { ModelRequest, TextEnd } from "~/services/language-model/language-model";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { freePort } from "../../../scripts/lib/free-port";
import type { FaultName } from "../../../scripts/sandbox/text/faults";
import { silenceLog } from "../../helpers/silence-log";
import { openTextSandbox } from "../../helpers/text-sandbox";

silenceLog();

const text = openTextSandbox();

const PROMPT = "A very private prompt [tokens:30]";
/** The sandbox's count for it. */
const INPUT = Math.ceil(PROMPT.length / 4);

beforeEach(() => allowAddresses({ text: [text.sandbox.env.TEXT_PROVIDER_API_BASE] }));

async function write(
  {
    signal = new AbortController().signal,
    ...request
  }: Partial<ModelRequest> & { signal?: AbortSignal } = {},
  settings: object = {},
) {
  const { env } = text.sandbox;
  const writing = askModel(
    {
      apiKey: env.TEXT_PROVIDER_KEY,
      apiBase: env.TEXT_PROVIDER_API_BASE,
      model: env.TEXT_PROVIDER_MODEL,
      purpose: "text",
      ...settings,
    },
    { prompt: PROMPT, ...request },
    signal,
  );
  const pieces: string[] = [];
  for (;;) {
    const next = await writing.next();
    if (next.done) return { pieces, end: next.value };
    pieces.push(next.value.text);
  }
}

const calls = () => text.control.calls();

test("a text comes in its pieces, with its reason and its usage, by one call", async () => {
  const { pieces, end } = await write();
  expect(pieces).toHaveLength(30);
  expect(end).toEqual({ status: "stop", usage: { inputTokens: INPUT, outputTokens: 30 } });
  expect(await calls()).toMatchObject({
    completions: 1,
    asked: [{ model: "sandbox-writer", stream: true, stream_options: { include_usage: true } }],
  });
  expect((await calls()).asked[0]).not.toHaveProperty("max_tokens");
});

test("a limit is sent by the name that the endpoint takes, which is found out once", async () => {
  expect(await write({ maxTokens: 7 })).toMatchObject({ end: { status: "length" } });
  expect((await calls()).asked).toMatchObject([{ max_completion_tokens: 7 }]);
  await text.control.order({ fault: "old_limit", times: 3 });
  const limited = await write({ maxTokens: 7 });
  expect(limited.pieces).toHaveLength(7);
  await write({ maxTokens: 8 });
  expect((await calls()).asked.slice(1)).toMatchObject([
    { max_completion_tokens: 7 },
    { max_tokens: 7 },
    { max_tokens: 8 },
  ]);
});

test.each<[FaultName, TextEnd["status"]]>([
  ["400", "invalid"],
  ["401", "auth"],
  ["402", "auth"],
  ["403", "auth"],
  ["404", "auth"],
  ["429", "transient"],
  ["500", "transient"],
  ["503", "transient"],
  ["insufficient_quota", "auth"],
  ["refusal", "refused"],
  ["reset", "ambiguous"],
  ["invalid_json", "ambiguous"],
])("%s is %s, after one call and without text", async (fault, status) => {
  await text.control.order({ fault });
  expect(await write()).toEqual({ pieces: [], end: { status, usage: null } });
  expect((await calls()).completions).toBe(1);
});

test.each<[FaultName, TextEnd]>([
  ["break", { status: "ambiguous", usage: null }],
  ["end", { status: "ambiguous", usage: null }],
  ["error", { status: "ambiguous", usage: null }],
  ["filter", { status: "filtered", usage: { inputTokens: INPUT, outputTokens: 4 } }],
])("%s after some pieces keeps those", async (fault, end) => {
  await text.control.order({ fault, pieces: 4 });
  const written = await write();
  expect(written.end).toEqual(end);
  expect(written.pieces).toHaveLength(4);
  expect((await calls()).completions).toBe(1);
});

test.each<[FaultName, object | null]>([
  ["usage_much", { inputTokens: INPUT * 10, outputTokens: 300 }],
  ["usage_little", { inputTokens: Math.floor(INPUT / 10), outputTokens: 3 }],
  ["usage_none", null],
  ["usage_zero", null],
  ["usage_absurd", null],
])("%s: usage that can be is believed, other is none", async (fault, usage) => {
  await text.control.order({ fault });
  expect((await write()).end).toEqual({ status: "stop", usage });
});

test("an empty text ends like any other", async () => {
  await text.control.order({ fault: "empty" });
  const end = { status: "stop", usage: { inputTokens: INPUT, outputTokens: 0 } };
  expect(await write()).toEqual({ pieces: [], end });
});

test.each(["hang", "stall"] as const)(
  "a signal ends a call that shows %s, at the provider, too",
  async (fault) => {
    await text.control.order({ fault, pieces: 4 });
    const stop = new AbortController();
    const writing = write({ signal: stop.signal });
    await expect.poll(async () => (await calls()).open).toBe(1);
    stop.abort();
    expect((await writing).end).toEqual({ status: "aborted", usage: null });
    await expect.poll(calls).toMatchObject({ open: 0, closed: 1, completions: 1 });
  },
);

test("a reader that leaves in the middle ends the call by its signal", async () => {
  const stop = new AbortController();
  const { env } = text.sandbox;
  const settings = {
    apiKey: env.TEXT_PROVIDER_KEY,
    apiBase: env.TEXT_PROVIDER_API_BASE,
    model: env.TEXT_PROVIDER_MODEL,
    purpose: "text" as const,
  };
  const prompt = "[tokens:1000000]";
  const writing = askModel(settings, { prompt }, stop.signal);
  await writing.next();
  stop.abort();
  await expect.poll(calls).toMatchObject({ open: 0, closed: 1 });
  for (let next = await writing.next(); ; next = await writing.next())
    if (next.done) {
      expect(next.value).toEqual({ status: "aborted", usage: null });
      break;
    }
});

test("an address that refuses connections is transient, and one that isn't allowed is never called", async () => {
  const dead = `http://127.0.0.1:${await freePort()}`;
  allowAddresses({ text: [dead] });
  const nowhere = await write({}, { apiBase: dead });
  expect(nowhere.end.status).toBe("transient");
  expect((await write()).end).toEqual({ status: "ambiguous", usage: null });
  expect((await calls()).completions).toBe(0);
});
