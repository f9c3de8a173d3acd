import fc from "fast-check";
import { expect, test } from "vitest";
import {
  encode,
  PACK_METADATA,
  PACK_READ,
  PLAN_METADATA,
  PLAN_READ,
  PRICES,
} from "~/services/payments/fixtures";
import {
  at,
  CREATED,
  newInvoice,
  newSubscription,
  oldSubscription,
  PERIOD_END,
  PERIOD_START,
  stripeEvent,
} from "~/services/payments/stripe/fixtures";
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
        metadata: PACK_READ,
      },
    ],
  });
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

test("a checkout of another maker has no metadata, and one that only saves a card is unknown", () => {
  expect(readEvent("checkout.session.completed", { ...session, metadata: {} })).toMatchObject({
    metadata: null,
  });
  expect(
    readEvent("checkout.session.completed", { ...session, mode: "setup", amount_total: null }),
  ).toEqual({ kind: "unknown", type: "checkout.session.completed" });
});

test.each(["customer.subscription.created", "customer.subscription.updated"])(
  "%s says the same from before and since 2025-03",
  (type) => {
    const event = readEvent(type, newSubscription());
    expect(event).toEqual({
      kind: "subscription_changed",
      providerSubscriptionId: "sub_1",
      customerId: "cus_1",
      status: "active",
      priceId: "price_starter_monthly",
      currentPeriodStart: at(PERIOD_START),
      currentPeriodEnd: at(PERIOD_END),
      cancelAtPeriodEnd: false,
      endedAt: null,
      metadata: PLAN_READ,
      occurredAt: at(CREATED),
    });
    expect(readEvent(type, oldSubscription())).toEqual(event);
  },
);

test("a deleted subscription is canceled, whatever its status says", () => {
  const deleted = { status: "active", ended_at: CREATED - 5 };
  expect(readEvent("customer.subscription.deleted", newSubscription(deleted))).toMatchObject({
    status: "canceled",
    endedAt: at(CREATED - 5),
  });
  expect(readEvent("customer.subscription.deleted", newSubscription())).toMatchObject({
    status: "canceled",
    endedAt: at(CREATED),
  });
});

test.each([
  ["incomplete", "incomplete"],
  ["trialing", "trialing"],
  ["active", "active"],
  ["past_due", "past_due"],
  ["unpaid", "unpaid"],
  ["paused", "paused"],
  ["canceled", "canceled"],
  ["incomplete_expired", "canceled"],
  ["something_new", "unknown"],
  ["constructor", "unknown"],
])("status %s is %s", (status, expected) => {
  const event = readEvent("customer.subscription.updated", newSubscription({ status }));
  expect(event).toMatchObject({ status: expected });
});

test.each([
  ["the flag", { cancel_at_period_end: true, cancel_at: null }, true],
  ["the flag and the date", { cancel_at_period_end: true, cancel_at: PERIOD_END }, true],
  ["the date alone, as the portal sets it", { cancel_at: PERIOD_END }, true],
  ["a date beyond the period", { cancel_at: PERIOD_END + 86_400 }, false],
  ["neither", {}, false],
])("a cancellation scheduled by %s: %o", (_what, fields, expected) => {
  for (const make of [newSubscription, oldSubscription])
    expect(readEvent("customer.subscription.updated", make(fields))).toMatchObject({
      status: "active",
      cancelAtPeriodEnd: expected,
    });
});

test("of several items the catalog's decides price and period; of none of its own, the first", () => {
  const period = { current_period_start: PERIOD_START, current_period_end: PERIOD_END };
  const foreign = { price: { id: "price_seats" }, current_period_start: 1, current_period_end: 2 };
  const sold = { price: { id: "price_pro_annual" }, ...period };
  const withItems = (...data: object[]) =>
    readEvent("customer.subscription.updated", newSubscription({ items: { data } }));
  expect(withItems(foreign, sold)).toMatchObject({
    priceId: "price_pro_annual",
    currentPeriodEnd: at(PERIOD_END),
  });
  expect(withItems(foreign)).toMatchObject({ priceId: "price_seats", currentPeriodEnd: at(2) });
  expect(withItems()).toMatchObject({ priceId: null, currentPeriodEnd: null });
});

test("an object that lacks its metadata altogether is read, and is not ours", () => {
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

test("a refund tells the cumulative amount, the charge and the order's metadata", () => {
  const charge = {
    id: "ch_1",
    payment_intent: "pi_1",
    amount: 1900,
    amount_refunded: 700,
    currency: "usd",
    metadata: PACK_METADATA,
  };
  expect(readEvent("charge.refunded", charge)).toEqual({
    kind: "refunded",
    paymentId: "pi_1",
    checkoutId: null,
    providerSubscriptionId: null,
    chargedAmount: 1900,
    amountRefunded: 700,
    currency: "usd",
    metadata: PACK_READ,
  });
});

test("a dispute tells the payment and the amount", () => {
  const dispute = { id: "dp_1", charge: "ch_1", payment_intent: "pi_1", amount: 1900 };
  expect(readEvent("charge.dispute.created", { ...dispute, currency: "usd" })).toEqual({
    kind: "disputed",
    disputeId: "dp_1",
    paymentId: "pi_1",
    checkoutId: null,
    providerSubscriptionId: null,
    chargedAmount: null,
    amount: 1900,
    currency: "usd",
    metadata: null,
  });
});

test("an event without an id is read all the same", () => {
  const payload = stripeEvent("checkout.session.completed", session, { id: undefined });
  expect(read(payload)).toMatchObject({
    providerEventId: null,
    events: [{ kind: "checkout_completed" }],
  });
});

test("thin events and types of no meaning here are unknown", () => {
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

test("a known type in a shape that cannot be read is malformed, and names the field only", () => {
  expect(readEvent("customer.subscription.updated", { ...newSubscription(), id: null })).toEqual({
    kind: "malformed",
    type: "customer.subscription.updated",
    problem: "id: invalid_type",
  });
  expect(read({ id: "evt_1", type: "invoice.paid", created: CREATED })?.events).toMatchObject([
    { kind: "malformed" },
  ]);
  expect(readEvent("checkout.session.completed", { ...session, amount_total: null })).toMatchObject(
    { kind: "malformed" },
  );
});

test("bytes that are no JSON object are null", () => {
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

test("no JSON whatever makes it throw", () => {
  const arbitrary = fc.oneof(
    fc.jsonValue(),
    fc.record({
      id: fc.jsonValue(),
      type: fc.constantFrom(...TYPES),
      created: fc.oneof(fc.constant(CREATED), fc.jsonValue()),
      data: fc.oneof(fc.record({ object: fc.jsonValue() }), fc.jsonValue()),
    }),
    // A real payload with one field of it turned into something else.
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
