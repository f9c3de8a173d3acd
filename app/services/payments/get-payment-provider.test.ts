import { expect, test } from "vitest";
import {
  CREEM_SETTINGS,
  encode,
  NO_PRICES,
  STRIPE_SETTINGS,
  USER_ID,
} from "#tests/fixtures/payments";
import {
  HAS_TWO_PACKS,
  LAST_PACK,
  PACK,
  PLAN_MONTHLY,
  priceVariable,
  productVariable,
  TOP_PLAN,
  TOP_YEARLY,
} from "#tests/fixtures/sold";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";

const complete = { stripe: STRIPE_SETTINGS, creem: CREEM_SETTINGS };
const empty = {
  stripe: { ...STRIPE_SETTINGS, secretKey: null, webhookSecret: null, prices: NO_PRICES },
  creem: { ...CREEM_SETTINGS, apiKey: null, webhookSecret: null, products: NO_PRICES },
};
const UNAVAILABLE = { code: "payments_unavailable", status: 503 };
const request = {
  userId: USER_ID,
  email: "buyer@example.com",
  customerId: null,
  site: "shop.test",
  requestId: "request-1",
  successUrl: "https://example.com/success",
  cancelUrl: "https://example.com/cancelled",
};
const buyPack = (provider: PaymentProvider) =>
  provider.createPackCheckout({ ...request, skuKey: PACK.skuKey });

test.each(["stripe", "creem"] as const)("%s with complete settings lacks nothing", (name) => {
  const provider = createPaymentProvider(name, complete);
  expect(provider.name).toBe(name);
  for (const use of ["api", "webhook", PACK.skuKey, TOP_YEARLY] as const)
    expect(provider.listMissing(use)).toEqual([]);
});

test("missing settings are named by variable, separately for each use", () => {
  const stripe = createPaymentProvider("stripe", empty);
  expect(stripe.listMissing("api")).toEqual(["PROVIDER_A_SECRET_KEY"]);
  expect(stripe.listMissing("webhook")).toEqual([
    "PROVIDER_A_SECRET_KEY",
    "PROVIDER_A_WEBHOOK_SECRET",
  ]);
  expect(stripe.listMissing(PLAN_MONTHLY)).toEqual([
    "PROVIDER_A_SECRET_KEY",
    priceVariable(PLAN_MONTHLY),
  ]);
  const creem = createPaymentProvider("creem", empty);
  expect(creem.listMissing("webhook")).toEqual(["PROVIDER_B_API_KEY", "PROVIDER_B_WEBHOOK_SECRET"]);
  expect(creem.listMissing(LAST_PACK.skuKey)).toEqual([
    "PROVIDER_B_API_KEY",
    productVariable(LAST_PACK.skuKey),
  ]);
});

test.each(["stripe", "creem"] as const)("%s without its settings throws a 503", async (name) => {
  const provider = createPaymentProvider(name, empty);
  await expect(buyPack(provider)).rejects.toMatchObject(UNAVAILABLE);
  await expect(
    provider.createSubscriptionCheckout({ ...request, planKey: TOP_PLAN.planKey, period: "year" }),
  ).rejects.toMatchObject(UNAVAILABLE);
  await expect(
    provider.cancelSubscription({ providerSubscriptionId: "sub_1", when: "now" }),
  ).rejects.toMatchObject(UNAVAILABLE);
  await expect(
    provider.createPortal({ customerId: "cus_1", returnUrl: "https://example.com" }),
  ).rejects.toMatchObject(UNAVAILABLE);
  expect(() => provider.verifyWebhook(encode({}), new Headers())).toThrow(
    expect.objectContaining(UNAVAILABLE),
  );
});

test.runIf(HAS_TWO_PACKS)("only the item without a price is unavailable", async () => {
  const prices = { ...NO_PRICES, [LAST_PACK.skuKey]: "price_1" };
  const provider = createPaymentProvider("stripe", {
    ...complete,
    stripe: { ...STRIPE_SETTINGS, prices },
  });
  expect(provider.listMissing(LAST_PACK.skuKey)).toEqual([]);
  await expect(buyPack(provider)).rejects.toMatchObject(UNAVAILABLE);
});

test("the public message names no variable", async () => {
  const failure = buyPack(createPaymentProvider("stripe", empty));
  await expect(failure).rejects.toMatchObject({
    publicMessage: expect.not.stringContaining("PROVIDER_A"),
  });
});

test("an old delivery can be read again without a key", () => {
  for (const name of ["stripe", "creem"] as const)
    expect(createPaymentProvider(name, empty).parseDelivery(encode({ id: "evt_1" }))).toMatchObject(
      { providerEventId: "evt_1", events: [{ kind: "unknown" }] },
    );
});

test("Stripe signs no return", () => {
  const provider = createPaymentProvider("stripe", complete);
  expect(provider.verifyReturn([["signature", "0".repeat(64)]])).toBe(false);
});
