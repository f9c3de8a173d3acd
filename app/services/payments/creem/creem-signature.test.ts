import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CREEM_SETTINGS } from "#tests/fixtures/payments";
import { PACK } from "#tests/fixtures/sold";
import { createCreemProvider } from "~/services/payments/creem/creem-provider.server";

const BODY = JSON.stringify({ id: "evt_1", eventType: "credits.granted", object: {} });

function hmac(body: string | Uint8Array, secret = "secret-unit") {
  return createHmac("sha256", secret).update(body).digest("hex");
}

function verify(headers: HeadersInit, body: string | Uint8Array = BODY, header?: string) {
  const provider = createCreemProvider({ ...CREEM_SETTINGS, signatureHeader: header ?? null });
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return provider.verifyWebhook(bytes, new Headers(headers)).status;
}

test("a signature over these bytes is valid, under either default name", () => {
  expect(verify({ "creem-signature": hmac(BODY) })).toBe("verified");
  expect(verify({ "X-ProviderB-Signature": hmac(BODY) })).toBe("verified");
});

test("only the configured header counts", () => {
  const header = "X-My-Signature";
  expect(verify({ [header]: hmac(BODY) }, BODY, header)).toBe("verified");
  expect(verify({ "creem-signature": hmac(BODY) }, BODY, header)).toBe("invalid_signature");
  expect(verify({ "X-ProviderB-Signature": hmac(BODY) }, BODY, header)).toBe("invalid_signature");
});

test.each([
  ["nothing", ""],
  ["one too short", hmac(BODY).slice(2)],
  ["one too long", `${hmac(BODY)}00`],
  ["one that is not hexadecimal", "z".repeat(64)],
  ["hexadecimal with garbage that decoding would drop", `${hmac(BODY)}zz`],
  ["an upper-case one", hmac(BODY).toUpperCase()],
  ["one with its algorithm's name", `sha256=${hmac(BODY)}`],
  ["another secret's", hmac(BODY, "secret-other")],
  ["a plain hash", createHash("sha256").update(BODY).digest("hex")],
])("%s is refused", (_what, signature) => {
  expect(verify({ "creem-signature": signature })).toBe("invalid_signature");
});

test("a request without the header, or with one sent twice, is refused", () => {
  expect(verify({})).toBe("invalid_signature");
  expect(
    verify([
      ["creem-signature", hmac(BODY)],
      ["creem-signature", hmac(BODY)],
    ]),
  ).toBe("invalid_signature");
});

test("if both headers are present the first decides", () => {
  const wrong = "0".repeat(64);
  expect(verify({ "creem-signature": wrong, "X-ProviderB-Signature": hmac(BODY) })).toBe(
    "invalid_signature",
  );
  expect(verify({ "creem-signature": hmac(BODY), "X-ProviderB-Signature": wrong })).toBe(
    "verified",
  );
});

test("bytes other than the signed ones are refused, even the same JSON formatted differently", () => {
  const headers = { "creem-signature": hmac(BODY) };
  expect(verify(headers, JSON.stringify(JSON.parse(BODY), null, 2))).toBe("invalid_signature");
  expect(verify(headers, `${BODY} `)).toBe("invalid_signature");
  expect(verify(headers, "")).toBe("invalid_signature");
});

test.each(["", "null", "[]", "42", '"text"', "{", `\uFEFF${BODY}`])(
  "%j, correctly signed, is an invalid payload",
  (body) => {
    expect(verify({ "creem-signature": hmac(body) }, body)).toBe("invalid_payload");
  },
);

test("signed bytes that are not UTF-8 are an invalid payload", () => {
  const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  expect(verify({ "creem-signature": hmac(bytes) }, bytes)).toBe("invalid_payload");
});

test("it never throws or passes, for any header", () => {
  const hexadecimal = fc.string({
    unit: fc.constantFrom(..."0123456789abcdef"),
    minLength: 60,
    maxLength: 68,
  });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme-ascii" }), hexadecimal), (signature) => {
      expect(verify({ "creem-signature": signature })).toBe("invalid_signature");
    }),
  );
});

function signReturn(parameters: [string, string][], apiKey = "creem_test_unit") {
  const text = [...parameters.map(([name, value]) => `${name}=${value}`), `salt=${apiKey}`];
  return createHash("sha256").update(text.join("|")).digest("hex");
}

const RETURNED: [string, string][] = [
  ["checkout_id", "ch_1"],
  ["order_id", "ord_1"],
  ["customer_id", "cust_1"],
  ["product_id", `prod_${PACK.skuKey}`],
  ["request_id", "request-1"],
];
const provider = createCreemProvider(CREEM_SETTINGS);

test("a return with Creem's signature over its parameters, in order, is valid", () => {
  const signature: [string, string] = ["signature", signReturn(RETURNED)];
  expect(provider.verifyReturn([...RETURNED, signature])).toBe(true);
  expect(provider.verifyReturn([signature, ...RETURNED])).toBe(true);
  expect(provider.verifyReturn([...RETURNED.toReversed(), signature])).toBe(false);
});

test("absent parameters are not signed, whether empty or the text null", () => {
  const parameters: [string, string][] = [
    ...RETURNED,
    ["subscription_id", ""],
    ["discount", "null"],
    ["signature", signReturn(RETURNED)],
  ];
  expect(provider.verifyReturn(parameters)).toBe(true);
});

test.each([
  ["no signature", RETURNED],
  ["an empty one", [...RETURNED, ["signature", ""]]],
  ["an upper-case one", [...RETURNED, ["signature", signReturn(RETURNED).toUpperCase()]]],
  ["another key's", [...RETURNED, ["signature", signReturn(RETURNED, "creem_test_other")]]],
  ["two", [...RETURNED, ["signature", signReturn(RETURNED)], ["signature", "x"]]],
  ["nothing but a signature", [["signature", signReturn([])]]],
  ["a parameter more", [["extra", "1"], ...RETURNED, ["signature", signReturn(RETURNED)]]],
  [
    "another value",
    [
      ["checkout_id", "ch_2"],
      ["signature", signReturn([["checkout_id", "ch_1"]])],
    ],
  ],
] as [string, [string, string][]][])("a return with %s is not valid", (_what, parameters) => {
  expect(provider.verifyReturn(parameters)).toBe(false);
});

test("without an API key no return is valid, and nothing throws", () => {
  const keyless = createCreemProvider({ ...CREEM_SETTINGS, apiKey: null });
  expect(keyless.verifyReturn([...RETURNED, ["signature", signReturn(RETURNED)]])).toBe(false);
});
