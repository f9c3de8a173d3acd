import { expect, test } from "vitest";
import { encode, PACK_METADATA, PACK_READ, PRICES, SITE, USER_ID } from "#tests/fixtures/payments";
import { writeCardMetadata, writeTopUpMetadata } from "~/services/payments/billing-metadata";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

const ID = "0198c1f2-7c0e-7a51-9d35-3f0c2b9d4e61";
const TOP_UP = writeTopUpMetadata(
  { topUpId: ID, userId: USER_ID, site: SITE },
  PACK_METADATA.sku_key as never,
);
const CARD = writeCardMetadata({ requestId: ID, userId: USER_ID, site: SITE });

const read = (type: string, object: object) =>
  readStripeDelivery(encode({ id: "evt_1", type, created: 1, data: { object } }), PRICES)?.events;

const intent = { id: "pi_1", customer: "cus_1", amount_received: 500, currency: "USD" };

test("a charge of a kept card is read by our metadata alone", () => {
  expect(read("payment_intent.succeeded", { ...intent, metadata: TOP_UP })).toEqual([
    {
      ...{ kind: "top_up_paid", topUpId: ID, paymentId: "pi_1", customerId: "cus_1" },
      ...{ amount: 500, currency: "usd", metadata: PACK_READ },
    },
  ]);
  for (const type of ["payment_intent.payment_failed", "payment_intent.canceled"])
    expect(read(type, { ...intent, metadata: TOP_UP })).toMatchObject([{ kind: "top_up_failed" }]);
});

test("the payment of a checkout, an invoice or another shop is none of our top-ups", () => {
  for (const metadata of [PACK_METADATA, CARD, {}, null, { ...TOP_UP, top_up: "x" }])
    expect(read("payment_intent.succeeded", { id: "pi_1", metadata })).toMatchObject([
      { kind: "unknown" },
    ]);
});

test("a card is kept by our metadata alone, and only with its customer", () => {
  const setup = { id: "seti_1", customer: { id: "cus_1" }, payment_method: "pm_1" };
  expect(read("setup_intent.succeeded", { ...setup, metadata: CARD })).toMatchObject([
    { kind: "card_kept", requestId: ID, customerId: "cus_1", paymentMethodId: "pm_1" },
  ]);
  expect(read("setup_intent.succeeded", { ...setup, metadata: {} })).toMatchObject([
    { kind: "unknown" },
  ]);
  expect(
    read("setup_intent.succeeded", { ...setup, customer: null, metadata: CARD }),
  ).toMatchObject([{ kind: "malformed" }]);
});

test("an event that doesn't say what was charged fails visibly", () => {
  const { amount_received: _, ...without } = intent;
  expect(read("payment_intent.succeeded", { ...without, metadata: TOP_UP })).toMatchObject([
    { kind: "malformed" },
  ]);
});
