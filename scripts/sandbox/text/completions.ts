import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import express, { type Response, type Router } from "express";
import { z } from "zod";
import type { Fault, FaultName } from "./faults";
import { malformed, refuse, sendRefusal, unknownModel, wrongKey } from "./refusals";
import type { Switchboard } from "./switchboard";
import { countTokens, write } from "./write";

export const TEXT_KEY = "sk-sandbox-text-key";
export const TEXT_MODEL = "sandbox-writer";

/** Each model with its last day. */
const MODELS = new Map<string, string | null>([
  [TEXT_MODEL, null],
  ["sandbox-writer-old", "2026-11-01"],
]);

const inputSchema = z.strictObject({
  model: z.string(),
  messages: z
    .array(z.strictObject({ role: z.enum(["system", "user"]), content: z.string().min(1) }))
    .min(1),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  stream: z.boolean().default(false),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});

type Input = z.output<typeof inputSchema>;

/** Faults that end a text before its time. */
const BREAKS: readonly FaultName[] = ["stall", "break", "end", "error", "filter"];

/** Routes with the wire format of OpenAI's chat completions. `pieceMs` passes between two pieces of a stream. */
export function completionRoutes(switchboard: Switchboard, pieceMs: number): Router {
  const router = express.Router();
  router.use(express.json({ limit: "1mb" }));
  router.use((request, response, next) => {
    response.set("x-request-id", `req_${randomUUID().replaceAll("-", "")}`);
    if (request.path === "/v1/chat/completions") switchboard.counters.completions += 1;
    if (request.get("authorization") === `Bearer ${TEXT_KEY}`) return next();
    sendRefusal(response, wrongKey);
  });
  router.post("/v1/chat/completions", (request, response) => {
    const { counters: calls } = switchboard;
    const { messages: _prompts, ...asked } = request.body as Record<string, unknown>;
    calls.asked = [...calls.asked.slice(-99), asked];
    const input = inputSchema.safeParse(request.body);
    if (!input.success) return sendRefusal(response, malformed(input.error.issues[0]));
    if (!MODELS.has(input.data.model)) return sendRefusal(response, unknownModel(input.data.model));
    const prompt = input.data.messages.map(({ content }) => content).join("\n");
    const fault = switchboard.take(prompt);
    if (refuse(fault, input.data, response)) return;
    if (fault?.fault === "reset") return void response.socket?.resetAndDestroy();
    if (fault?.fault === "invalid_json") return void response.type("json").send('{"choices": [{');

    calls.open += 1;
    calls.tokens.input += countTokens(prompt);
    response.once("close", () => {
      calls.open -= 1;
      if (!response.writableFinished && fault?.fault !== "break") calls.closed += 1;
    });
    if (fault?.fault === "hang") return;
    const text: Text = {
      ...input.data,
      prompt,
      fault,
      made: 0,
      countToken() {
        text.made += 1;
        calls.tokens.output += 1;
      },
    };
    void (input.data.stream ? stream(text, response, pieceMs) : complete(text, response));
  });
  router.get("/v1/models", (_request, response) => {
    const data = [...MODELS].map(([model, lastDay]) => describe(model, lastDay));
    response.json({ object: "list", data });
  });
  router.get("/v1/models/:model", ({ params: { model } }, response) => {
    const lastDay = MODELS.get(model);
    if (lastDay === undefined) return sendRefusal(response, unknownModel(model));
    response.json(describe(model, lastDay));
  });
  return router;
}

const describe = (model: string, lastDay: string | null) => ({
  id: model,
  object: "model",
  owned_by: "sandbox",
  shutdown_date: lastDay,
});

interface Text extends Input {
  prompt: string;
  fault: Fault | null;
  /** Tokens. */
  made: number;
  countToken(): void;
}

/** The pieces that a call yields, and why it ended; null if it broke off. */
function* pieces(text: Text): Generator<string, string | null> {
  if (text.fault?.fault !== "one_piece") return yield* tokens(text);
  let whole = "";
  const all = tokens(text);
  let next = all.next();
  for (; !next.done; next = all.next()) whole += next.value;
  yield whole;
  return next.value;
}

function* tokens(text: Text): Generator<string, string | null> {
  const { fault, prompt, max_completion_tokens, max_tokens } = text;
  if (fault?.fault === "empty") return "stop";
  const asked = max_completion_tokens ?? max_tokens ?? Number.POSITIVE_INFINITY;
  const most = fault?.fault === "no_limit" ? Number.POSITIVE_INFINITY : asked;
  for (const token of write(prompt)) {
    if (text.made >= most) return "length";
    if (fault && BREAKS.includes(fault.fault) && text.made >= fault.pieces)
      return fault.fault === "filter" ? "content_filter" : null;
    text.countToken();
    yield token;
  }
  return "stop";
}

/** The usage that is reported, which may be a lie. Undefined for none. */
function usageOf({ fault, prompt, made }: Text): object | undefined {
  const report = (prompt_tokens: number, completion_tokens: number) => ({
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
  });
  const input = countTokens(prompt);
  switch (fault?.fault) {
    case "usage_much":
      return report(input * 10, made * 10);
    case "usage_little":
      return report(Math.floor(input / 10), Math.floor(made / 10));
    case "usage_none":
      return undefined;
    case "usage_zero":
      return report(0, 0);
    case "usage_absurd":
      return report(-7, 1e300);
    default:
      return report(input, made);
  }
}

function complete(text: Text, response: Response): void {
  const all = pieces(text);
  let content = "";
  let next = all.next();
  for (; !next.done; next = all.next()) content += next.value;
  if (next.value === null && text.fault?.fault === "stall") return;
  if (next.value === null) return void response.socket?.destroy();
  response.json({
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: text.model,
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: next.value }],
    usage: usageOf(text),
  });
}

async function stream(text: Text, response: Response, pieceMs: number): Promise<void> {
  const id = `chatcmpl-${randomUUID()}`;
  const created = Math.floor(Date.now() / 1000);
  const send = (data: object | string) => {
    const line = typeof data === "string" ? data : JSON.stringify(data);
    return response.write(`data: ${line}\n\n`);
  };
  const chunk = (choices: object[], usage: object | null = null) =>
    send({ id, object: "chat.completion.chunk", created, model: text.model, choices, usage });
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta, finish_reason }]);

  response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
  choice({ role: "assistant", content: "" });
  const all = pieces(text);
  let next = all.next();
  for (; !next.done; next = all.next()) {
    if (response.destroyed) return;
    const goesOn = choice({ content: next.value });
    if (pieceMs > 0) await delay(pieceMs);
    else if (!goesOn) await drained(response);
  }
  switch (next.value === null && text.fault?.fault) {
    case "stall":
      return;
    case "break":
      // The text that was written arrives first.
      return void response.socket?.destroySoon();
    case "end":
      return void response.end();
    case "error":
      send({ error: { message: "The server had an error.", type: "server_error", code: null } });
      return void response.end();
  }
  choice({}, next.value);
  const usage = text.stream_options?.include_usage ? usageOf(text) : undefined;
  if (usage) chunk([], usage);
  send("[DONE]");
  response.end();
}

/** Waits until the client reads on or has gone. */
function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.once("drain", done).once("close", done);
  });
}
