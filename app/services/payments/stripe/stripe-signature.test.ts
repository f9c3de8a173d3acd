import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STRIPE_SETTINGS } from "#tests/fixtures/payments";
import { newSubscription, stripeEvent } from "#tests/fixtures/stripe";
import { createStripeProvider } from "~/services/payments/stripe/stripe-provider.server";

const NOW = 1_760_000_100;
const BODY = JSON.stringify(stripeEvent("customer.subscription.updated", newSubscription()));

const provider = createStripeProvider(STRIPE_SETTINGS);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function hmac(body: string, timestamp: number | string = NOW, secret = "whsec_unit") {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

function verify(headers: HeadersInit, body: string | Uint8Array = BODY) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return provider.verifyWebhook(bytes, new Headers(headers)).status;
}

const verifyHeader = (value: string, body?: string) => verify({ "Stripe-Signature": value }, body);

test("a fresh signature over these bytes is valid, under either header name", () => {
  const value = `t=${NOW},v1=${hmac(BODY)}`;
  expect(verifyHeader(value)).toBe("verified");
  expect(verify({ "Provider-A-Signature": value })).toBe("verified");
});

test.each([
  [299, "verified"],
  [300, "verified"],
  [301, "invalid_signature"],
  [86_400, "invalid_signature"],
  [-600, "verified"],
])("a signature that is %i seconds old is %s", (age, status) => {
  const signedAt = NOW - age;
  expect(verifyHeader(`t=${signedAt},v1=${hmac(BODY, signedAt)}`)).toBe(status);
});

test("while a secret is being rotated, one valid v1 of several is enough", () => {
  const wrong = hmac(BODY, NOW, "whsec_old");
  expect(verifyHeader(`t=${NOW},v1=${wrong},v1=${hmac(BODY)}`)).toBe("verified");
  expect(verifyHeader(`t=${NOW},v1=${hmac(BODY)},v1=${wrong}`)).toBe("verified");
  expect(verifyHeader(`t=${NOW},v1=${wrong},v1=${wrong}`)).toBe("invalid_signature");
});

test.each([
  ["nothing", ""],
  ["no timestamp", `v1=${hmac(BODY)}`],
  ["no signature", `t=${NOW}`],
  ["an empty one", `t=${NOW},v1=`],
  ["a name without a value", `t=${NOW},v1`],
  ["only the test scheme v0", `t=${NOW},v0=${hmac(BODY)}`],
  ["one of another length", `t=${NOW},v1=${hmac(BODY).slice(1)}`],
  ["one that is not hexadecimal", `t=${NOW},v1=${"z".repeat(64)}`],
  ["one of as many characters and more bytes", `t=${NOW},v1=${"\u00e9".repeat(64)}`],
  ["an upper-case one", `t=${NOW},v1=${hmac(BODY).toUpperCase()}`],
  ["one with garbage after it", `t=${NOW},v1=${hmac(BODY)}00`],
  ["another secret's", `t=${NOW},v1=${hmac(BODY, NOW, "whsec_other")}`],
  ["one with a timestamp that was not signed", `t=${NOW - 1},v1=${hmac(BODY)}`],
  ["a timestamp that is no number", `t=now,v1=${hmac(BODY)}`],
])("%s is refused", (_what, header) => {
  expect(verifyHeader(header)).toBe("invalid_signature");
});

test("a request without the header, or with a foreign one, is refused", () => {
  expect(verify({})).toBe("invalid_signature");
  expect(verify({ "creem-signature": hmac(BODY) })).toBe("invalid_signature");
});

test("if both headers are present the first decides; one sent twice counts as its joined values", () => {
  const right = `t=${NOW},v1=${hmac(BODY)}`;
  const wrong = `t=${NOW},v1=${"0".repeat(64)}`;
  expect(verify({ "Stripe-Signature": wrong, "Provider-A-Signature": right })).toBe(
    "invalid_signature",
  );
  expect(verify({ "Stripe-Signature": right, "Provider-A-Signature": wrong })).toBe("verified");
  const twice = (...values: string[]) => values.map((value) => ["Stripe-Signature", value]);
  expect(verify(twice(wrong, right) as [string, string][])).toBe("verified");
  expect(verify(twice(wrong, wrong) as [string, string][])).toBe("invalid_signature");
});

test("bytes other than the signed ones are refused, even the same JSON formatted differently", () => {
  const value = `t=${NOW},v1=${hmac(BODY)}`;
  expect(verifyHeader(value, JSON.stringify(JSON.parse(BODY), null, 2))).toBe("invalid_signature");
  expect(verifyHeader(value, `${BODY}\n`)).toBe("invalid_signature");
  expect(verifyHeader(value, `\uFEFF${BODY}`)).toBe("invalid_signature");
  expect(verifyHeader(value, "")).toBe("invalid_signature");
});

test("bytes that are not UTF-8 are refused, even if their replacement characters were signed", () => {
  const invalid = new Uint8Array([0x22, 0xff, 0x22]);
  const replaced = new TextDecoder().decode(invalid);
  expect(verify({ "Stripe-Signature": `t=${NOW},v1=${hmac(replaced)}` }, invalid)).toBe(
    "invalid_signature",
  );
});

test.each(["null", "[]", "42", '"text"', "true", "{", "not json", `\uFEFF${BODY}`])(
  "%s, correctly signed, is an invalid payload",
  (body) => {
    expect(verifyHeader(`t=${NOW},v1=${hmac(body)}`, body)).toBe("invalid_payload");
  },
);

test("it never throws or passes, for any header", () => {
  const printable = fc.string({ unit: "grapheme-ascii" });
  fc.assert(
    fc.property(
      fc.oneof(
        printable,
        printable.map((rest) => `t=${NOW},v1=${rest}`),
        fc.tuple(printable, printable).map(([a, b]) => `t=${a},v1=${b},v1=${a}`),
      ),
      (header) => {
        expect(verifyHeader(header)).toBe("invalid_signature");
      },
    ),
  );
});
