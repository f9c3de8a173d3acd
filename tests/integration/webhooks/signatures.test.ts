import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { bodyOf, signWebhook } from "../../helpers/signed-webhook";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const stripe = withPaymentServer("stripe");
const creem = withPaymentServer("creem", { PROVIDER_B_SIGNATURE_HEADER: "" });

const hmac = (secret: string, text: string) =>
  createHmac("sha256", secret).update(text).digest("hex");
const now = () => Math.floor(Date.now() / 1000);

let events = 0;
/** Returns a body that was never sent before and has no effect. */
const newBody = () => {
  events += 1;
  return JSON.stringify(
    { id: `evt_signature_${events}`, type: "ping", eventType: "ping" },
    null,
    2,
  );
};

async function post(
  app: PaymentServerUnderTest,
  body: string | Uint8Array<ArrayBuffer>,
  headers: [string, string][],
) {
  const response = await fetch(`${app.url}/api/payments/webhook`, {
    method: "POST",
    body,
    headers: [["Content-Type", "application/json"], ...headers],
  });
  const reply = (await response.json()) as { code?: string; deduped?: boolean };
  return [response.status, reply.code ?? reply.deduped];
}

const countRows = async (app: PaymentServerUnderTest) =>
  Number((await app.sql<{ n: string }>("SELECT count(*) AS n FROM webhook_inbox"))[0]?.n);

const ACCEPTED = [200, false];
const REFUSED = [400, "invalid_signature"];

const v1 = (secret: string, body: string, at: number) => hmac(secret, `${at}.${body}`);

type StripeCase = (secret: string, body: string) => { headers: [string, string][]; sent?: string };
const withHeader = (value: string) => ({
  headers: [["Stripe-Signature", value]] as [string, string][],
});

const STRIPE: Record<string, [StripeCase, unknown[]]> = {
  "none at all": [() => ({ headers: [] }), REFUSED],
  "an empty one": [() => withHeader(""), REFUSED],
  "the right one": [(s, b) => withHeader(`t=${now()},v1=${v1(s, b, now())}`), ACCEPTED],
  "the right one in the specification's own header": [
    (s, b) => ({ headers: [["Provider-A-Signature", `t=${now()},v1=${v1(s, b, now())}`]] }),
    ACCEPTED,
  ],
  "one of four minutes ago": [
    (s, b) => withHeader(`t=${now() - 240},v1=${v1(s, b, now() - 240)}`),
    ACCEPTED,
  ],
  "one of 301 s ago": [
    (s, b) => withHeader(`t=${now() - 301},v1=${v1(s, b, now() - 301)}`),
    REFUSED,
  ],
  "two, the second right": [
    (s, b) => withHeader(`t=${now()},v1=${"0".repeat(64)},v1=${v1(s, b, now())}`),
    ACCEPTED,
  ],
  "v0 alone": [(s, b) => withHeader(`t=${now()},v0=${v1(s, b, now())}`), REFUSED],
  "no time": [(s, b) => withHeader(`v1=${v1(s, b, now())}`), REFUSED],
  "a time that is none": [(s, b) => withHeader(`t=soon,v1=${v1(s, b, now())}`), REFUSED],
  "another length": [(s, b) => withHeader(`t=${now()},v1=${v1(s, b, now()).slice(1)}`), REFUSED],
  "no hex": [() => withHeader(`t=${now()},v1=${"z".repeat(64)}`), REFUSED],
  uppercase: [(s, b) => withHeader(`t=${now()},v1=${v1(s, b, now()).toUpperCase()}`), REFUSED],
  "garbage after it": [(s, b) => withHeader(`t=${now()},v1=${v1(s, b, now())}00zz`), REFUSED],
  "only commas": [() => withHeader(",,,=,="), REFUSED],
  "another secret's": [(_, b) => withHeader(`t=${now()},v1=${v1("whsec_x", b, now())}`), REFUSED],
  "the body written anew": [
    (s, b) => ({
      ...withHeader(`t=${now()},v1=${v1(s, b, now())}`),
      sent: JSON.stringify(JSON.parse(b)),
    }),
    REFUSED,
  ],
  "two headers, the first wrong": [
    (s, b) => ({
      headers: [
        ["Stripe-Signature", `t=${now()},v1=${"0".repeat(64)}`],
        ["Stripe-Signature", `t=${now()},v1=${v1(s, b, now())}`],
      ],
    }),
    ACCEPTED,
  ],
};

test.each(Object.entries(STRIPE))("stripe: %s", async (_name, [make, reply]) => {
  const body = newBody();
  const before = await countRows(stripe);
  const { headers, sent = body } = make(stripe.env.PROVIDER_A_WEBHOOK_SECRET ?? "", body);
  expect(await post(stripe, sent, headers)).toEqual(reply);
  expect(await countRows(stripe)).toBe(before + (reply === ACCEPTED ? 1 : 0));
});

type CreemCase = (
  signature: string,
  body: string,
) => { headers: [string, string][]; sent?: string };
const signed = (value: string) => ({ headers: [["creem-signature", value]] as [string, string][] });

const CREEM: Record<string, [CreemCase, unknown[]]> = {
  "none at all": [() => ({ headers: [] }), REFUSED],
  "an empty one": [() => signed(""), REFUSED],
  "the right one": [(s) => signed(s), ACCEPTED],
  "the right one in the specification's own header": [
    (s) => ({ headers: [["X-ProviderB-Signature", s]] }),
    ACCEPTED,
  ],
  "another length": [(s) => signed(s.slice(2)), REFUSED],
  "no hex": [() => signed("z".repeat(64)), REFUSED],
  uppercase: [(s) => signed(s.toUpperCase()), REFUSED],
  "garbage after it": [(s) => signed(`${s}zz`), REFUSED],
  "a right beginning": [(s) => signed(`${s.slice(0, 32)}${"0".repeat(32)}`), REFUSED],
  "another secret's": [(_, b) => signed(hmac("whsec_x", b)), REFUSED],
  "the body written anew": [
    (s, b) => ({ ...signed(s), sent: JSON.stringify(JSON.parse(b)) }),
    REFUSED,
  ],
  "two headers": [
    (s) => ({
      headers: [
        ["creem-signature", "0".repeat(64)],
        ["creem-signature", s],
      ],
    }),
    REFUSED,
  ],
};

test.each(Object.entries(CREEM))("creem: %s", async (_name, [make, reply]) => {
  const body = newBody();
  const before = await countRows(creem);
  const { headers, sent = body } = make(
    hmac(creem.env.PROVIDER_B_WEBHOOK_SECRET ?? "", body),
    body,
  );
  expect(await post(creem, sent, headers)).toEqual(reply);
  expect(await countRows(creem)).toBe(before + (reply === ACCEPTED ? 1 : 0));
});

const APPS = { stripe, creem };
const BODIES: [string, string, unknown[]][] = [
  ["null", "null", [400, "invalid_payload"]],
  ["a list", "[]", [400, "invalid_payload"]],
  ["a number", "1", [400, "invalid_payload"]],
  ["no JSON", "{", [400, "invalid_payload"]],
  ["an empty object", "{}", [200, false]],
  [
    "a thin event",
    '{"id":"evt_thin","object":"v2.core.event","type":"v1.x","related_object":{}}',
    [200, false],
  ],
  [
    "an unknown type",
    '{"id":"evt_new","type":"charge.new","eventType":"charge.new"}',
    [200, false],
  ],
  ["a type that is no text", '{"id":"evt_odd","type":{},"eventType":[]}', [200, false]],
  [
    "an id and a type that no text column takes",
    '{"id":"a\\u0000","type":"b\\u0000","eventType":"b\\u0000"}',
    [200, false],
  ],
  [
    "an id that no index takes",
    JSON.stringify({ id: randomBytes(4000).toString("hex"), type: "ping", eventType: "ping" }),
    [200, false],
  ],
  ["an id that is no text", '{"id":{},"type":"ping","eventType":"ping"}', [200, false]],
];

test.each(
  (["stripe", "creem"] as const).flatMap((name) => BODIES.map((row) => [name, ...row] as const)),
)("%s: a signed body that is %s", async (name, _what, body, reply) => {
  const { rawBody, headers } = signWebhook(APPS[name], body);
  expect(await post(APPS[name], rawBody as Uint8Array<ArrayBuffer>, [...headers])).toEqual(reply);
});

test.each(["stripe", "creem"] as const)(
  "%s: a known type in a shape that cannot be read fails visibly",
  async (name) => {
    const type = name === "stripe" ? "checkout.session.completed" : "subscription.paid";
    const { rawBody, headers } = signWebhook(APPS[name], {
      id: `evt_malformed_${name}`,
      type,
      eventType: type,
      object: {},
      data: { object: {} },
    });
    const reply = await post(APPS[name], rawBody as Uint8Array<ArrayBuffer>, [...headers]);
    expect(reply).toEqual([500, "webhook_failed"]);
    const [row] = await APPS[name].sql(
      "SELECT status, last_error FROM webhook_inbox WHERE dedupe_key = $1",
      [`id:evt_malformed_${name}`],
    );
    expect(row).toMatchObject({ status: "failed", last_error: expect.stringContaining(type) });
  },
);

test("an empty body is a 400 for both providers", async () => {
  for (const app of [stripe, creem]) {
    const { headers } = signWebhook(app, "");
    expect((await post(app, "", [...headers]))[0]).toBe(400);
  }
});

test.each(["stripe", "creem"] as const)(
  "%s: two megabytes are a 413, signed or not",
  async (name) => {
    const { rawBody, headers } = signWebhook(APPS[name], { pad: "x".repeat(2 * 1024 * 1024) });
    const reply = await post(APPS[name], rawBody as Uint8Array<ArrayBuffer>, [...headers]);
    expect(reply).toEqual([413, "payload_too_large"]);
  },
);

test("another method is a 405, never a redirect", async () => {
  const response = await fetch(`${stripe.url}/api/payments/webhook`, { redirect: "manual" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

test.each([
  ["the flag", { NEXT_PUBLIC_ENABLE_PAYMENTS: "" }],
  ["the selector", { PAYMENTS_PROVIDER: "" }],
  ["the API key", { PROVIDER_A_SECRET_KEY: "" }],
  ["the webhook secret", { PROVIDER_A_WEBHOOK_SECRET: "" }],
])("without %s it is a 503, whatever is sent", async (_what, env) => {
  const server = await stripe.startAnother(env);
  try {
    const webhook = signWebhook(stripe, newBody());
    expect(bodyOf(webhook).id).toBeDefined();
    expect(await stripe.deliver(webhook, server.url)).toMatchObject({
      status: 503,
      body: { code: "payments_unavailable" },
    });
  } finally {
    await server.stop();
  }
});
