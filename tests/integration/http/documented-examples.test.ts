import { afterAll, expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import { openApiDocument } from "~/server/openapi/document.server";
import { EXAMPLES } from "~/server/openapi/examples/with-examples";
import {
  type ImageSandbox,
  startImageSandbox,
} from "../../../scripts/sandbox/images/image-sandbox";
import { startTextSandbox, type TextSandbox } from "../../../scripts/sandbox/text/text-sandbox";
import { createClient, type Person, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { signWebhook } from "../../helpers/signed-webhook";
import { putObject, requestUpload, uploadFile } from "../../helpers/upload";
import { withPaymentServer } from "../../helpers/with-payment-server";

// Every example of the OpenAPI document is sent to the built server, which has to respond like it.

let images: ImageSandbox;
let text: TextSandbox;
const app = withPaymentServer("stripe", async () => {
  images = await startImageSandbox({ port: 0 });
  text = await startTextSandbox({ port: 0 });
  return { ...images.env, ...text.env };
});
afterAll(() => Promise.all([images.stop(), text.stop()]));

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Media = { content?: Record<string, { examples?: Record<string, { value: Json }> }> };
type Operation = {
  operationId: string;
  requestBody?: Media;
  responses: Record<string, Media>;
};

interface Sample {
  /** The operation and the example. */
  name: string;
  method: string;
  address: string;
  body: Json | undefined;
  status: number;
  response: Json;
}

const examplesOf = ({ content = {} }: Media = {}) => Object.values(content)[0]?.examples ?? {};

/** As a client reads them: from the document's JSON. */
function listSamples(): Sample[] {
  const document = openApiDocument(new URL("http://localhost:3000"));
  const paths: Record<string, Record<string, Operation>> = JSON.parse(
    JSON.stringify(document.paths),
  );
  return Object.entries(paths).flatMap(([address, item]) =>
    Object.entries(item).flatMap(([method, { operationId, requestBody, responses }]) =>
      Object.entries(responses).flatMap(([status, response]) =>
        Object.entries(examplesOf(response)).map(([name, { value }]) => ({
          name: `${operationId} ${name}`,
          method: method.toUpperCase(),
          address,
          body: examplesOf(requestBody)[name]?.value,
          status: Number(status),
          response: value,
        })),
      ),
    ),
  );
}

const SAMPLES = listSamples();

/** Facts that an example takes for granted. */
interface Situation {
  /** Takes the place of the example's ids, in the address and in the body. */
  ids?: Record<string, string>;
  headers?: Record<string, string>;
  isStranger?: true;
}

type SetUp = (person: Person, sample: Sample) => Promise<Situation> | Situation;

const bearer = () => ({ headers: { Authorization: `Bearer ${app.env.CRON_SECRET}` } });
const subscribe = async (person: Person) => {
  const { webhooks } = await app.buy("plan", { person });
  for (const webhook of webhooks) await app.deliver(webhook);
  const [row] = await app.sql<{ id: string }>(
    `SELECT subscriptions.id FROM subscriptions JOIN users ON users.id = user_id WHERE email = $1`,
    [person.email],
  );
  return { ids: { subscriptionId: row?.id ?? "" } };
};
const pending = async (person: Person) => ({
  ids: { fileId: (await requestUpload(person)).fileId },
});
const confirmed = async (person: Person) => ({
  ids: { fileId: (await uploadFile(person)).fileId },
});
const runFor = async (person: Person) => {
  await giveCredits(app, person.email, creditsFor("image", 2));
  const { body } = await person.json("POST", "/api/generate-image", { prompt: "a cat", n: 2 });
  return { ids: { runId: String(body.generationId) } };
};
const unknown = () => ({
  ids: {
    runId: crypto.randomUUID(),
    fileId: crypto.randomUUID(),
    generationId: crypto.randomUUID(),
    index: "0",
  },
});

/** By the example's name; an example that isn't here needs a new account only. */
const SET_UPS: Record<string, SetUp> = {
  async "requestUpload noRoom"({ email }) {
    await app.sql(
      `INSERT INTO files (user_id, key, filename, content_type, size, status, confirmed_at)
       SELECT id, 'big', 'big.png', 'image/png', 204472320, 'confirmed', now()
       FROM users WHERE email = $1`,
      [email],
    );
    return {};
  },
  async "requestUpload tooManyPending"(person) {
    for (let count = 0; count < 100; count++) await requestUpload(person);
    return {};
  },
  async "confirmUpload uploaded"(person) {
    const upload = await requestUpload(person);
    await putObject(upload);
    return { ids: { fileId: upload.fileId } };
  },
  "confirmUpload again": confirmed,
  "confirmUpload tooEarly": pending,
  async "listFiles lastPage"(person) {
    await uploadFile(person);
    return pending(person);
  },
  "getFile confirmed": confirmed,
  "getFile unknown": unknown,
  "getImage unknown": unknown,
  async "generateImage twoImages"({ email }) {
    await giveCredits(app, email, creditsFor("image", 2));
    return {};
  },
  async "generateText twoLines"({ email }) {
    await giveCredits(app, email, 30);
    return {};
  },
  async "generateImage notAwaited"({ email }) {
    await giveCredits(app, email, creditsFor("image", 2));
    return { headers: { Prefer: "respond-async" } };
  },
  "listRuns onePage": runFor,
  "getRun succeeded": runFor,
  "getRun unknown": unknown,
  async "getCredits oneSpend"(person) {
    await giveCredits(app, person.email, creditsFor("image", 2) + 30);
    const generated = await person.json("POST", "/api/generate-image", { prompt: "a cat", n: 2 });
    expect(generated.status).toBe(200);
    return {};
  },
  "getCredits noSession": () => ({ isStranger: true }),
  "checkoutSubscription planRuns": subscribe,
  "cancelSubscription running": subscribe,
  async "resumeSubscription ending"(person) {
    const subscribed = await subscribe(person);
    const cancelled = await person.json("POST", "/api/payments/subscription/cancel", {});
    expect(cancelled.status).toBe(200);
    return subscribed;
  },
  "openPortal customer": subscribe,
  "receiveWebhook signed": (_, { body }) => ({
    headers: Object.fromEntries(signWebhook(app, body as object).headers),
  }),
  "grantMonthlyCredits done": bearer,
  "runMaintenance done": bearer,
  "readiness withBearer": bearer,
};

test("every operation with JSON has an example, and every example an operation", () => {
  const written = Object.entries(EXAMPLES).flatMap(([operation, examples]) =>
    Object.keys(examples).map((name) => `${operation} ${name}`),
  );
  expect(SAMPLES.map(({ name }) => name).sort()).toEqual(written.sort());
  expect(written).toEqual(expect.arrayContaining(Object.keys(SET_UPS)));
  // Deleting a file has no body. The document can't stand in itself.
  const shown = new Set(SAMPLES.map(({ method, address }) => `${method} ${address}`));
  const { paths } = openApiDocument(new URL("http://localhost:3000"));
  const all = Object.entries(paths ?? {}).flatMap(([address, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${address}`),
  );
  expect(all.filter((operation) => !shown.has(operation))).toEqual([
    "DELETE /api/storage/files/{fileId}",
    "GET /api/openapi.json",
  ]);
});

test.each(SAMPLES)("$name", async (sample) => {
  const person = await signUp(app.url);
  const {
    ids = {},
    headers = {},
    isStranger,
  } = (await SET_UPS[sample.name]?.(person, sample)) ?? {};
  const { body } = sample;
  const sent = body && { ...(body as object), ...pick(ids, body) };
  const client = isStranger ? createClient(app.url) : person;
  const response = await client.fetch(
    sample.address.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ""),
    {
      method: sample.method,
      body: sent ? JSON.stringify(sent) : undefined,
      headers: { ...(sent ? { "Content-Type": "application/json" } : {}), ...headers },
    },
  );
  const text = await response.text();
  expect(response.status, text).toBe(sample.status);
  const reply = JSON.parse(text) as Json;
  expect(differences(reply, sample.response), text).toEqual([]);
  if (sample.status >= 400) expect(sayings(reply)).toEqual(sayings(sample.response));
});

/** The ids that stand in this body, too. */
function pick(ids: Record<string, string>, body: Json) {
  return Object.fromEntries(
    Object.entries(ids).filter(([name]) => typeof body === "object" && name in (body ?? {})),
  );
}

/** Returns a problem's text without its numbers. */
function sayings(reply: Json) {
  const { type, title, status, code, detail, errors } = reply as Record<string, Json>;
  return { type, title, status, code, errors, detail: String(detail).replaceAll(/\d+/g, "N") };
}

/** Where a response has other fields than the example, or values of another kind. A null goes with all. */
function differences(reply: Json, example: Json, place = "response"): string[] {
  if (reply === null || example === null) return [];
  if (Array.isArray(reply) && Array.isArray(example)) {
    if (reply.length === 0 && example.length > 0) return [`${place} is empty`];
    return reply.flatMap((element, at) => {
      const found = example.map((one) => differences(element, one, `${place}[${at}]`));
      return found.some((list) => list.length === 0)
        ? []
        : (found[0] ?? [`${place} has an element, the example has none`]);
    });
  }
  if (typeof reply === "object" && typeof example === "object") {
    const [own, other] = [reply, example] as Record<string, Json>[];
    const names = new Set([...Object.keys(own ?? {}), ...Object.keys(other ?? {})]);
    return [...names].flatMap((name) => {
      const [one, two] = [own?.[name], other?.[name]];
      if (one === undefined) return [`${place} lacks ${name}`];
      if (two === undefined) return [`the example lacks ${name} of ${place}`];
      return differences(one, two, `${place}.${name}`);
    });
  }
  const [one, two] = [kindOf(reply), kindOf(example)];
  return one === two ? [] : [`${place} is ${one}, in the example ${two}`];
}

function kindOf(value: Json): string {
  if (typeof value !== "string") return Array.isArray(value) ? "an array" : `a ${typeof value}`;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return "a UUID";
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return "a time";
  return /^https?:/.test(value) ? "a URL" : "a text";
}

test.each<[Json, Json, string[]]>([
  [{ a: 1 }, { a: "1" }, ["response.a is a number, in the example a text"]],
  [{ a: 1, b: 1 }, { a: 1 }, ["the example lacks b of response"]],
  [{ a: 1 }, { a: 1, b: 1 }, ["response lacks b"]],
  [["x"], [], ["response has an element, the example has none"]],
  [[], ["x"], ["response is empty"]],
  [
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }],
    ["response[1] lacks a", "the example lacks b of response[1]"].reverse(),
  ],
  [{ a: null, b: ["x", "y"] }, { a: 1, b: ["z"] }, []],
])("%j against the example %j differs in %j", (reply, example, wanted) => {
  expect(differences(reply, example)).toEqual(wanted);
});
