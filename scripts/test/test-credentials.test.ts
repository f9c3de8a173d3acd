import { expect, test } from "vitest";
import {
  PACK,
  PLAN,
  PLAN_YEARLY,
  priceAlias,
  priceVariable,
  productVariable,
  TOP_MONTHLY,
  TOP_PLAN,
} from "#tests/fixtures/sold";
import { requireTestCredentials } from "./test-credentials";

const STRIPE = {
  PAYMENTS_PROVIDER: "A",
  STRIPE_SECRET_KEY: "sk_test_1",
  [priceVariable(PACK.skuKey)]: "price_1",
  [priceAlias(TOP_MONTHLY)]: "price_2",
};
const CREEM = {
  PAYMENTS_PROVIDER: "creem",
  PROVIDER_B_API_KEY: "creem_test_1",
  [productVariable(PLAN_YEARLY)]: "prod_1",
};

test("a key and a price of the provider in use are enough, whatever else is set", () => {
  expect(requireTestCredentials({ ...STRIPE, S3_ENDPOINT: "https://s3", PORT: "x" })).toMatchObject(
    {
      provider: "stripe",
      items: [
        { type: "plan", planKey: TOP_PLAN.planKey, period: "month" },
        { type: "pack", skuKey: PACK.skuKey },
      ],
    },
  );
  expect(requireTestCredentials(CREEM)).toMatchObject({
    provider: "creem",
    settings: { creem: { apiBase: "https://test-api.creem.io" } },
    items: [{ type: "plan", planKey: PLAN.planKey, period: "year" }],
  });
});

test.each([
  [
    {},
    /^set PAYMENTS_PROVIDER to stripe, with PROVIDER_A_SECRET_KEY and a PROVIDER_A_PRICE_…, or to/,
  ],
  [
    { ...STRIPE, STRIPE_SECRET_KEY: " " },
    /^with PAYMENTS_PROVIDER=stripe, set PROVIDER_A_SECRET_KEY/,
  ],
  [{ ...CREEM, [productVariable(PLAN_YEARLY)]: "" }, /set PROVIDER_B_API_KEY and a PROVIDER_B_PRO/],
  [
    { ...STRIPE, PAYMENTS_PROVIDER: "creem" },
    /^with PAYMENTS_PROVIDER=creem, set PROVIDER_B_API_KEY/,
  ],
])("%j lacks something, which is named", (environment, message) => {
  expect(() => requireTestCredentials(environment)).toThrow(message);
});

test.each([
  { ...STRIPE, STRIPE_SECRET_KEY: "sk_live_abcdefgh" },
  { ...STRIPE, STRIPE_SECRET_KEY: "rk_live_abcdefgh" },
  { ...CREEM, PROVIDER_B_API_KEY: "creem_abcdefgh" },
])("%j is a live key and refused, unseen", (environment) => {
  expect(() => requireTestCredentials(environment)).toThrow(/^PROVIDER_\w+ is not a test key \(/);
  expect(() => requireTestCredentials(environment)).not.toThrow(/abcdefgh/);
});
