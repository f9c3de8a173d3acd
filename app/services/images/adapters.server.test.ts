import http from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listenLocally } from "#tests/helpers/local-server";
import { awaitResult } from "~/services/images/await-result.server";
import { createFal } from "~/services/images/fal.server";
import type { ProviderResult } from "~/services/images/image-provider.server";
import { imageUrlSchema } from "~/services/images/image-url.server";
import { createOpenai } from "~/services/images/openai.server";
import { readRetryAfter } from "~/services/images/provider-failure.server";
import { createReplicate } from "~/services/images/replicate.server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";

const CREATE = {
  fal: (settings: Parameters<typeof createReplicate>[0]) =>
    createFal({ ...settings, queueBase: settings.apiBase }),
  replicate: createReplicate,
  openai: createOpenai,
};

interface Scripted {
  status: number;
  body: string;
}

/** Runs the adapter against these responses in turn; returns its result and the requests it sent. */
async function createAsk(name: keyof typeof CREATE) {
  let scripted: Scripted[] = [];
  const requests: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    request.resume();
    const { status, body } = scripted.shift() ?? { status: 500, body: "" };
    response.writeHead(status).end(body);
  });
  const apiBase = `http://127.0.0.1:${await listenLocally(server)}/base`;
  allowAddresses({ [name]: [apiBase] });
  const provider = CREATE[name]({ apiKey: "key", apiBase, model: "owner/name/version" });
  const askWithin = async (seconds: number, responses: Scripted[], n = 1) => {
    scripted = responses;
    const deadline = performance.now() + seconds * 1000;
    const submitted = await provider.submit({ prompt: "a cat", n, size: "square", deadline });
    if (submitted.status !== "accepted") return submitted;
    if (!provider.requests) throw new Error(`${name} accepted a request that nobody can fetch`);
    const { requestId } = submitted;
    const request = { requestId, model: provider.model, deadline };
    const { requests } = provider;
    const result = await awaitResult({ requests, request, pollMs: 1, handOver: undefined });
    if (result.status === "pending") throw new Error("nobody handed it over");
    return result satisfies ProviderResult;
  };
  const ask = (...responses: Scripted[]) => askWithin(60, responses);
  /** Has a request accepted, and leaves its result to whoever looks. */
  const submit = async (...responses: Scripted[]) => {
    scripted = responses;
    const deadline = performance.now() + 60_000;
    const submitted = await provider.submit({ prompt: "a cat", n: 1, size: "square", deadline });
    if (submitted.status !== "accepted" || !provider.requests) throw new Error("not accepted");
    const { requestId } = submitted;
    return { submitted: { requestId, model: provider.model }, requests: provider.requests };
  };
  return { ask, askWithin, submit, requests, headers };
}

const json = (body: unknown, status = 200): Scripted => ({ status, body: JSON.stringify(body) });

const ANY_IMAGE = fc.oneof(
  fc.webUrl(),
  fc.constantFrom("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "", "//x"),
  fc.jsonValue(),
);
/** Bodies close to the right one, so that they pass the first check. */
const ANY_BODY = fc.oneof(
  fc.jsonValue(),
  fc.record({
    images: fc.array(fc.record({ url: ANY_IMAGE })),
    has_nsfw_concepts: fc.oneof(fc.array(fc.boolean()), fc.jsonValue()),
  }),
  fc.record({ data: fc.array(fc.record({ url: ANY_IMAGE })) }),
  fc.record({
    id: fc.constantFrom("abc", "../x"),
    status: fc.constantFrom("succeeded", "failed", "canceled"),
    output: fc.oneof(ANY_IMAGE, fc.array(ANY_IMAGE)),
    error: fc.jsonValue(),
  }),
  fc.record({ error: fc.jsonValue(), detail: fc.jsonValue() }),
);

test.each(["fal", "replicate", "openai"] as const)(
  "every response from %s gets a class, and every image URL is safe to show on a page",
  async (name) => {
    const { ask } = await createAsk(name);
    const status = fc.constantFrom(200, 201, 204, 301, 400, 404, 418, 422, 429, 500);
    await fc.assert(
      fc.asyncProperty(status, ANY_BODY, async (code, body) => {
        const reply = await ask(json(body, code));
        if (reply.status === "generated")
          for (const { url } of reply.images) expect(url).toMatch(/^https?:\/\//);
        else expect(reply.reason).toMatch(/^[\w. -]{1,80}$/);
      }),
      { numRuns: 150 },
    );
  },
);

test.each([
  ["text", "the prompt: a cat"],
  ["markup", "<b>"],
  ["far too long", "x".repeat(65)],
])("a code that is %s is not logged", async (_what, code) => {
  const { ask } = await createAsk("openai");
  expect(await ask(json({ error: { code } }, 400))).toMatchObject({
    status: "invalid",
    reason: "400",
  });
});

test.each([
  ["http://fal.media/x.png", true],
  ["https://fal.media/x.png", true],
  ["data:image/png;base64,AAAA", true],
  ["data:text/html,x", false],
  ["javascript:alert(1)", false],
  ["file:///x.png", false],
])("a provider may give the address %s: %s", (url, allowed) => {
  expect(imageUrlSchema.safeParse(url).success).toBe(allowed);
});

test("an OpenAI model that returns URLs is supported", async () => {
  const { ask } = await createAsk("openai");
  expect(await ask(json({ data: [{ url: "https://example.com/x.png" }] }))).toMatchObject({
    status: "generated",
    images: [{ url: "https://example.com/x.png" }],
  });
});

test("an unknown model at OpenAI is an operator's fault, though it arrives as a 400", async () => {
  const { ask } = await createAsk("openai");
  const error = { code: "invalid_value", param: "model", message: "" };
  expect(await ask(json({ error }, 400))).toMatchObject({ status: "auth" });
});

const DONE = { id: "abc", status: "succeeded", output: "https://example.com/x.png", error: null };
const DONE_IMAGE = { url: DONE.output };
const BUSY = { ...DONE, status: "processing", output: null };

test.each([
  [3, /^5s$/],
  [21, /^(20|21)s$/],
])(
  "with %i s left Replicate is told to end by the deadline, and to give its id at once",
  async (seconds, cancelAfter) => {
    const { askWithin, headers } = await createAsk("replicate");
    await askWithin(seconds, [json(DONE)]);
    expect(headers[0]).toMatchObject({ "cancel-after": expect.stringMatching(cancelAfter) });
    expect(headers[0]).not.toHaveProperty("prefer");
  },
);

test.each([
  [422, "The input was flagged as sensitive. (E005)", "refused"],
  [400, "NSFW content detected", "refused"],
  [422, "prompt is required", "invalid"],
  [500, "CUDA error (E1005)", "transient"],
  [409, "Busy due to high demand (E003)", "transient"],
  [409, "Conflict", "ambiguous"],
  [403, "This model is NSFW and not for you", "auth"],
])("Replicate's %i «%s» is %s", async (status, detail, verdict) => {
  const { ask } = await createAsk("replicate");
  expect((await ask(json({ title: "Error", detail, status }, status))).status).toBe(verdict);
});

test("a failed poll is retried, since polling is free", async () => {
  const { ask, requests } = await createAsk("replicate");
  const reply = await ask(json(BUSY, 201), json({}, 500), { status: 200, body: "?" }, json(DONE));
  expect(reply).toMatchObject({ status: "generated", requestId: "abc" });
  expect(requests).toEqual([
    "POST /base/v1/models/owner/name/version/predictions",
    ...Array.from({ length: 3 }, () => "GET /base/v1/predictions/abc"),
  ]);
});

test.each([
  ["replicate", [json(BUSY, 201), json(DONE)]],
  [
    "fal",
    [json({ request_id: "abc" }), json({ status: "COMPLETED" }), json({ images: [DONE_IMAGE] })],
  ],
] as const)("%s: a result that is there is taken, however late", async (name, responses) => {
  const { submitted, requests } = await createAsk(name).then(({ submit }) => submit(...responses));
  const request = { ...submitted, deadline: performance.now() - 60_000 };
  const result = await awaitResult({ requests, request, pollMs: 1, handOver: undefined });
  expect(result.status).toBe("generated");
});

test("several predictions are one request, whose images come together", async () => {
  const { askWithin, requests } = await createAsk("replicate");
  const busy = (id: string) => json({ ...BUSY, id }, 201);
  const done = (id: string) => json({ ...DONE, id, output: `https://example.com/${id}.png` });
  // The first round finds one of them at work.
  const rounds = [done("a"), json({ ...BUSY, id: "b" }), done("a"), done("b")];
  const reply = await askWithin(5, [busy("a"), busy("b"), ...rounds], 2);
  expect(reply).toMatchObject({ status: "generated", requestId: "a b" });
  expect(reply).toHaveProperty("images.length", 2);
  expect(requests).toHaveLength(6);
});

const ACCEPTED = { request_id: "abc", status: "IN_QUEUE", status_url: "http://127.0.0.1:1/steal" };
const IMAGES = { images: [{ url: "https://example.com/x.png" }] };

test("fal's request is asked at the queue's own address, without the rest of the model's name", async () => {
  const { ask, requests } = await createAsk("fal");
  const reply = await ask(
    json(ACCEPTED),
    json({ status: "IN_QUEUE" }, 202),
    json({}, 500),
    json({ status: "COMPLETED" }),
    json(IMAGES),
  );
  expect(reply).toMatchObject({ status: "generated", requestId: "abc" });
  expect(requests).toEqual([
    "POST /base/owner/name/version",
    ...Array.from({ length: 3 }, () => "GET /base/owner/name/requests/abc/status"),
    "GET /base/owner/name/requests/abc",
  ]);
});

test("a response of fal's queue that carries the images is the result", async () => {
  const { ask, requests } = await createAsk("fal");
  expect(await ask(json(IMAGES))).toMatchObject({ status: "generated" });
  expect(await ask(json({ ...ACCEPTED, ...IMAGES }))).toMatchObject({ status: "generated" });
  expect(requests).toHaveLength(2);
});

const COMPLETED = json({ status: "COMPLETED" });
const FAILED = json({ status: "COMPLETED", error: "The request failed." });

test.each<[string, Scripted[], string]>([
  ["lost once", [COMPLETED, json({}, 503), json(IMAGES)], "generated"],
  ["the model's own server error", [FAILED, json({}, 500)], "ambiguous"],
  ["a server error each time", [COMPLETED, ...Array(3).fill(json({}, 503))], "ambiguous"],
  ["the model's failure to serve", [FAILED, json({}, 503)], "transient"],
  [
    "held back while too many ask",
    [COMPLETED, ...Array(3).fill(json({}, 429)), COMPLETED, json(IMAGES)],
    "generated",
  ],
  ["a refusal", [FAILED, json({ detail: [{ type: "content_policy_violation" }] }, 422)], "refused"],
  ["forgotten", [json({ detail: "Not found" }, 404)], "ambiguous"],
])("a result of fal's queue that is %s", async (_what, responses, status) => {
  const { ask } = await createAsk("fal");
  expect((await ask(json(ACCEPTED), ...responses)).status).toBe(status);
});

test.each([
  ["2", 2_000],
  ["0.5", 500],
  ["0", 0],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  ["soon", null],
  ["", null],
])("Retry-After: %s", (text, ms) => {
  expect(readRetryAfter({ "retry-after": text })).toBe(ms);
});

test("Retry-After given as a date is the time until then", () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const ms = readRetryAfter({ "retry-after": date });
  expect(ms).toBeGreaterThan(30_000);
  expect(ms).toBeLessThanOrEqual(60_000);
});
