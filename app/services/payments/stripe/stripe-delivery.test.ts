import fc from "fast-check";
import { expect, test } from "vitest";
import {
  encode,
  PACK_METADATA,
  PACK_READ,
  PLAN_METADATA,
  PLAN_READ,
  PRICES,
} from "#tests/fixtures/payments";
import {
  CREATED,
  newInvoice,
  newSubscription,
  oldSubscription,
  stripeEvent,
} from "#tests/fixtures/stripe";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

const read = (payload: unknown) => readStripeDelivery(encode(payload), PRICES);
const readEvent = (type: string, object: unknown) => read(stripeEvent(type, object))?.events[0];

const session = {
  id: "cs_1",
  object: "checkout.session",
  mode: "payment",
  payment_status: "paid",
  payment_intent: "pi_1",
  subscription: null,
  customer: null,
  amount_subtotal: 500,
  amount_total: 500,
  currency: "usd",
  metadata: PACK_METADATA,
};

test("a paid pack is a completed checkout with its payment, amount and metadata", () => {
  expect(read(stripeEvent("checkout.session.completed", session))).toEqual({
    providerEventId: "evt_1",
    type: "checkout.session.completed",
    events: [
      {
        kind: "checkout_completed",
        checkoutId: "cs_1",
        mode: "payment",
        paymentStatus: "paid",
        paymentId: "pi_1",
        customerId: null,
        subscriptionId: null,
        amount: 500,
        currency: "usd",
        listed: { amount: 500, currency: "usd" },
        productId: null,
        metadata: PACK_READ,
      },
    ],
  });
});

test.each([
  ["a promotion code of 100 %", { amount_total: 0, payment_status: "no_payment_required" }],
  ["a tax on top", { amount_total: 600 }],
  [
    "a currency that an older API version converted",
    {
      amount_subtotal: 465,
      currency: "eur",
      currency_conversion: { amount_subtotal: 500, amount_total: 500, source_currency: "usd" },
    },
  ],
])("the price before discounts and taxes is read despite %s", (_what, change) => {
  expect(readEvent("checkout.session.completed", { ...session, ...change })).toMatchObject({
    listed: { amount: 500, currency: "usd" },
  });
});

test("the total stands in for a missing subtotal", () => {
  const event = readEvent("checkout.session.completed", { ...session, amount_subtotal: null });
  const listed = { amount: session.amount_total, currency: "usd" };
  expect(event).toMatchObject({ kind: "checkout_completed", listed });
});

test("a subscription's checkout names its subscription and customer", () => {
  const subscribed = {
    ...session,
    mode: "subscription",
    payment_intent: null,
    subscription: "sub_1",
    customer: { id: "cus_1", object: "customer" },
    metadata: PLAN_METADATA,
  };
  expect(readEvent("checkout.session.completed", subscribed)).toMatchObject({
    mode: "subscription",
    subscriptionId: "sub_1",
    customerId: "cus_1",
    paymentId: null,
    metadata: PLAN_READ,
  });
});

test.each([
  ["paid", "paid"],
  ["unpaid", "unpaid"],
  ["no_payment_required", "no_payment_required"],
  ["something_new", "unpaid"],
])("payment status %s is %s", (payment_status, paymentStatus) => {
  const event = readEvent("checkout.session.completed", { ...session, payment_status });
  expect(event).toMatchObject({ paymentStatus });
});

test("another seller's checkout has no metadata, and one that only saves a card is unknown", () => {
  expect(readEvent("checkout.session.completed", { ...session, metadata: {} })).toMatchObject({
    metadata: null,
  });
  expect(
    readEvent("checkout.session.completed", { ...session, mode: "setup", amount_total: null }),
  ).toEqual({ kind: "unknown", type: "checkout.session.completed" });
});

test("an object without a metadata field is read, and is not ours", () => {
  const { metadata: _session, ...bareSession } = session;
  const { metadata: _subscription, ...bareSubscription } = newSubscription();
  expect(readEvent("checkout.session.completed", bareSession)).toMatchObject({
    kind: "checkout_completed",
    metadata: null,
  });
  expect(readEvent("customer.subscription.updated", bareSubscription)).toMatchObject({
    kind: "subscription_changed",
    metadata: null,
  });
});

test("an event without an id is read", () => {
  const payload = stripeEvent("checkout.session.completed", session, { id: undefined });
  expect(read(payload)).toMatchObject({
    providerEventId: null,
    events: [{ kind: "checkout_completed" }],
  });
});

test("thin events and irrelevant types are unknown", () => {
  const thin = {
    id: "evt_test_1",
    object: "v2.core.event",
    type: "v1.customer.subscription.active",
    created: "2026-01-01T00:00:00.000Z",
    related_object: { id: "sub_1", type: "subscription" },
  };
  expect(read(thin)).toEqual({
    providerEventId: "evt_test_1",
    type: thin.type,
    events: [{ kind: "unknown", type: thin.type }],
  });
  expect(readEvent("payment_intent.succeeded", {})).toMatchObject({ kind: "unknown" });
  expect(read({})).toEqual({
    providerEventId: null,
    type: "unknown",
    events: [{ kind: "unknown", type: "unknown" }],
  });
});

test("a known type that cannot be read is malformed, and only the field is named", () => {
  expect(readEvent("customer.subscription.updated", { ...newSubscription(), id: null })).toEqual({
    kind: "malformed",
    type: "customer.subscription.updated",
    problem: "id: invalid_type",
  });
  expect(read({ id: "evt_1", type: "invoice.paid", data: { object: {} } })?.events).toMatchObject([
    { kind: "malformed", problem: "created: invalid_type" },
  ]);
});

test("a thin event of a known type has nothing to apply", () => {
  expect(read({ id: "evt_1", type: "invoice.paid", created: CREATED })?.events).toEqual([
    { kind: "unknown", type: "invoice.paid" },
  ]);
  expect(readEvent("checkout.session.completed", { ...session, amount_total: null })).toMatchObject(
    { kind: "malformed" },
  );
});

test("bytes that are not a JSON object give null", () => {
  for (const text of ["", "null", "[]", "1", "{"])
    expect(readStripeDelivery(new TextEncoder().encode(text), PRICES)).toBeNull();
});

const TYPES = [
  "checkout.session.completed",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "charge.refunded",
  "charge.dispute.created",
];

test("it never throws, for any JSON", () => {
  const arbitrary = fc.oneof(
    fc.jsonValue(),
    fc.record({
      id: fc.jsonValue(),
      type: fc.constantFrom(...TYPES),
      created: fc.oneof(fc.constant(CREATED), fc.jsonValue()),
      data: fc.oneof(fc.record({ object: fc.jsonValue() }), fc.jsonValue()),
    }),
    // A real payload with one field changed.
    fc
      .tuple(
        fc.constantFrom(...TYPES),
        fc.constantFrom<object>(session, newSubscription(), oldSubscription(), newInvoice()),
        fc.nat(20),
        fc.jsonValue(),
      )
      .map(([type, object, field, value]) => {
        const names = Object.keys(object);
        const name = names[field % names.length] ?? "id";
        return stripeEvent(type, { ...object, [name]: value });
      }),
  );
  fc.assert(
    fc.property(arbitrary, (payload) => {
      const delivery = read(payload);
      if (delivery) expect(delivery.events).toHaveLength(1);
    }),
    { numRuns: 1000 },
  );
});
