import { expect, test } from "vitest";
import { parse, STRIPE } from "#tests/fixtures/env";
import { hostedOrigins } from "~/services/payments/hosted-origins";

const originsWith = (source: Parameters<typeof parse>[0]) => hostedOrigins(parse(source).payments);

test("without a provider's key, forms lead to no other origin", () => {
  expect(originsWith({})).toEqual([]);
  expect(originsWith({ NEXT_PUBLIC_ENABLE_PAYMENTS: "true", PAYMENTS_PROVIDER: "A" })).toEqual([]);
});

test("a provider with a key gets its hosted pages, active or not", () => {
  const stripe = ["https://checkout.stripe.com", "https://billing.stripe.com"];
  const creem = ["https://creem.io", "https://*.creem.io"];
  expect(originsWith(STRIPE)).toEqual(stripe);
  expect(originsWith({ PROVIDER_B_API_KEY: "creem_1" })).toEqual(creem);
  expect(originsWith({ ...STRIPE, PROVIDER_B_API_KEY: "creem_1" })).toEqual([...stripe, ...creem]);
});

test("a stand-in on this machine adds its API's origin; any other API base adds none", () => {
  const local = { NEXT_PUBLIC_SITE_URL: "http://localhost:3000", ...STRIPE };
  expect(originsWith({ ...local, PROVIDER_A_API_BASE: "http://127.0.0.1:4570/stripe" })).toContain(
    "http://127.0.0.1:4570",
  );
  expect(originsWith({ ...local, PROVIDER_A_API_BASE: "https://proxy.example.com" })).toHaveLength(
    2,
  );
});
