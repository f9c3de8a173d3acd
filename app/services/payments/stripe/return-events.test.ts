import { expect, test } from "vitest";
import { encode, PACK_METADATA, PACK_READ, PRICES } from "#tests/fixtures/payments";
import { stripeEvent } from "#tests/fixtures/stripe";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

const readEvent = (type: string, object: unknown) =>
  readStripeDelivery(encode(stripeEvent(type, object)), PRICES)?.events[0];

const NAMED_ONLY = {
  paymentId: "pi_1",
  orderId: null,
  invoiceId: null,
  checkoutId: null,
  providerSubscriptionId: null,
  customerId: null,
  paidAt: null,
  chargedAmount: null,
  metadata: null,
};

test("a refunded charge has the cumulative amount, the charge and the order's metadata", () => {
  const charge = {
    id: "ch_1",
    payment_intent: "pi_1",
    amount: 1900,
    amount_refunded: 700,
    currency: "usd",
    metadata: PACK_METADATA,
  };
  expect(readEvent("charge.refunded", charge)).toEqual({
    ...{ kind: "returned", of: "refund", returnId: null, state: "succeeded" },
    ...{ amount: 700, currency: "usd", occurredAt: new Date("2025-10-09T08:53:20Z") },
    payment: { ...NAMED_ONLY, chargedAmount: 1900, metadata: PACK_READ },
  });
});

test("before 2025-03 a subscription's charge names its invoice", () => {
  const charge = { payment_intent: "pi_1", invoice: "in_1", amount: 900, amount_refunded: 900 };
  expect(readEvent("charge.refunded", { ...charge, currency: "usd" })).toMatchObject({
    payment: { paymentId: "pi_1", invoiceId: "in_1" },
  });
});

const RETURNED = { payment_intent: "pi_1", amount: 1900, currency: "usd" };

test.each([
  ["refund.created", "pending", "pending"],
  ["refund.updated", "requires_action", "pending"],
  ["refund.updated", "succeeded", "succeeded"],
  ["refund.failed", "failed", "failed"],
  ["charge.refund.updated", "canceled", "canceled"],
  ["charge.dispute.created", "warning_needs_response", "inquiry"],
  ["charge.dispute.updated", "warning_under_review", "inquiry"],
  ["charge.dispute.closed", "warning_closed", "inquiry"],
  ["charge.dispute.created", "prevented", "inquiry"],
  ["charge.dispute.funds_withdrawn", "needs_response", "open"],
  ["charge.dispute.updated", "under_review", "open"],
  ["charge.dispute.funds_reinstated", "won", "won"],
  ["charge.dispute.closed", "charge_refunded", "won"],
  ["charge.dispute.closed", "lost", "lost"],
])("%s with the status %s is %s", (type, status, state) => {
  const of = type.includes("dispute") ? "dispute" : "refund";
  expect(readEvent(type, { ...RETURNED, id: "re_1", status })).toMatchObject({
    ...{ kind: "returned", of, returnId: "re_1", state, payment: NAMED_ONLY },
  });
});

test("a charge written out divides a dispute in its own currency only", () => {
  const charge = { id: "ch_1", amount: 1900, currency: "usd", created: 1_700_000_000 };
  const dispute = { ...RETURNED, id: "dp_1", charge, status: "lost" };
  for (const [currency, chargedAmount] of [
    ["usd", 1900],
    ["jpy", null],
  ])
    expect(readEvent("charge.dispute.closed", { ...dispute, currency })).toMatchObject({
      ...{ currency, payment: { paymentId: "pi_1", chargedAmount } },
    });
});

test("a return of an unknown status is malformed", () => {
  for (const type of ["refund.updated", "charge.dispute.updated"])
    expect(readEvent(type, { ...RETURNED, id: "re_1", status: "odd" })).toMatchObject({
      kind: "malformed",
    });
});

test("a dispute has the payment and the amount", () => {
  const dispute = { id: "dp_1", charge: "ch_1", payment_intent: "pi_1", amount: 1900 };
  expect(readEvent("charge.dispute.created", { ...dispute, currency: "usd" })).toEqual({
    ...{ kind: "returned", of: "dispute", returnId: "dp_1", state: "open" },
    ...{ amount: 1900, currency: "usd", payment: NAMED_ONLY, occurredAt: null },
  });
});
