import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CREATED_MS,
  creemEvent,
  creemSubscriptionOf,
  packCheckout,
  packDispute,
  packRefund,
  planCheckout,
} from "#tests/fixtures/creem";
import { encode, PACK_READ, PLAN_METADATA, PLAN_READ, PRODUCTS } from "#tests/fixtures/payments";
import { PACK, PLAN } from "#tests/fixtures/sold";
import { CURRENCY } from "~/catalog";
import { readCreemDelivery } from "~/services/payments/creem/creem-delivery";

const read = (payload: unknown) => readCreemDelivery(encode(payload), PRODUCTS);
const readEvents = (type: string, object: unknown) => read(creemEvent(type, object))?.events;

test("a paid pack is a completed checkout with its order, amount and metadata", () => {
  expect(read(creemEvent("checkout.completed", packCheckout))).toEqual({
    providerEventId: "evt_1",
    type: "checkout.completed",
    events: [
      {
        kind: "checkout_completed",
        checkoutId: "ch_1",
        mode: "payment",
        paymentStatus: "paid",
        paymentId: "ord_1",
        customerId: "cust_1",
        subscriptionId: null,
        amount: PACK.amount,
        currency: CURRENCY,
        listed: { amount: PACK.amount, currency: CURRENCY },
        productId: packCheckout.product.id,
        metadata: PACK_READ,
      },
    ],
  });
});

test.each([
  ["a discount", { amount: PACK.amount - 100, discount_amount: 100 }],
  ["a discount of 100 %", { amount: 0, sub_total: PACK.amount, amount_paid: 0 }],
  [
    "a tax that the price includes",
    { amount: PACK.amount, sub_total: PACK.amount - 83, tax_amount: 83 },
  ],
  ["a tax on top", { amount: PACK.amount, sub_total: PACK.amount, amount_paid: PACK.amount + 100 }],
])("the price before discounts is read despite %s", (_what, change) => {
  const checkout = { ...packCheckout, order: { ...packCheckout.order, ...change } };
  expect(readEvents("checkout.completed", checkout)).toMatchObject([
    { listed: { amount: PACK.amount, currency: CURRENCY } },
  ]);
});

test.each([
  ["an expanded product", packCheckout.product],
  ["a product's id", packCheckout.product.id],
  ["the order alone", null],
])("the sold product is read from %s", (_what, product) => {
  expect(readEvents("checkout.completed", { ...packCheckout, product })).toMatchObject([
    { productId: packCheckout.product.id },
  ]);
});

test("a subscription's checkout names it, and the amount paid includes tax", () => {
  expect(readEvents("checkout.completed", planCheckout)).toMatchObject([
    {
      mode: "subscription",
      subscriptionId: "sub_1",
      amount: PLAN.amounts.month + 189,
      metadata: PLAN_READ,
    },
  ]);
});

test("a checkout that is not paid says so, and one that starts a trial has no order", () => {
  const pending = { ...packCheckout, order: { ...packCheckout.order, status: "pending" } };
  expect(readEvents("checkout.completed", pending)).toMatchObject([{ paymentStatus: "unpaid" }]);
  expect(readEvents("checkout.completed", { ...planCheckout, order: null })).toMatchObject([
    { mode: "subscription", paymentStatus: "no_payment_required", amount: 0, currency: CURRENCY },
  ]);
  expect(readEvents("checkout.completed", { ...packCheckout, order: null })).toMatchObject([
    { kind: "malformed" },
  ]);
});

test("metadata may be on the checkout or on its subscription; another seller's reads as none", () => {
  const onSubscription = { ...planCheckout, metadata: undefined };
  expect(readEvents("checkout.completed", onSubscription)).toMatchObject([{ metadata: PLAN_READ }]);
  expect(readEvents("checkout.completed", { ...packCheckout, metadata: {} })).toMatchObject([
    { metadata: null },
  ]);
});

test("invoice events, which Creem does not document, are read if possible", () => {
  const invoice = { id: "inv_1", subscription: creemSubscriptionOf(), period_end: CREATED_MS };
  for (const type of ["invoice.paid", "invoice.payment_succeeded"])
    expect(readEvents(type, invoice)).toMatchObject([
      { kind: "invoice_paid", invoiceId: "inv_1", periodEnd: new Date(CREATED_MS) },
    ]);
  expect(readEvents("invoice.payment_failed", { id: "inv_1", subscription: "sub_1" })).toEqual([
    {
      kind: "invoice_failed",
      invoiceId: "inv_1",
      providerSubscriptionId: "sub_1",
      customerId: null,
      priceId: null,
      metadata: null,
      isRenewal: true,
      occurredAt: new Date(CREATED_MS),
    },
  ]);
  expect(readEvents("invoice.paid", { id: "inv_1" })).toMatchObject([{ kind: "unknown" }]);
});

const PACK_PAYMENT = {
  paymentId: "tran_1",
  orderId: "ord_1",
  invoiceId: null,
  checkoutId: "ch_1",
  providerSubscriptionId: null,
  customerId: null,
  paidAt: null,
  chargedAmount: 2299,
  metadata: PACK_READ,
};

test("a refund is told by its id, and as the cumulative amount", () => {
  const shared = { kind: "returned", of: "refund", state: "succeeded", currency: CURRENCY };
  const told = { ...shared, payment: PACK_PAYMENT, occurredAt: new Date(CREATED_MS) };
  expect(readEvents("refund.created", packRefund)).toEqual([
    { ...told, returnId: "ref_1", amount: 200 },
    { ...told, returnId: null, amount: 700 },
  ]);
});

test("a refund has its state, and one of an unknown state is malformed", () => {
  const transaction = { ...packRefund.transaction, refunded_amount: 0 };
  for (const status of ["pending", "succeeded", "failed", "canceled"])
    expect(readEvents("refund.created", { ...packRefund, status, transaction })).toMatchObject([
      { returnId: "ref_1", state: status, amount: 200 },
    ]);
  expect(readEvents("refund.created", { ...packRefund, status: "odd" })).toMatchObject([
    { kind: "malformed" },
  ]);
});

test("a refunded period names its subscription", () => {
  const refund = {
    ...packRefund,
    checkout: "ch_1",
    subscription: { id: "sub_1", metadata: PLAN_METADATA },
  };
  const payment = { checkoutId: "ch_1", providerSubscriptionId: "sub_1", metadata: PLAN_READ };
  expect(readEvents("refund.created", refund)).toMatchObject([{ payment }, { payment }]);
});

test("a dispute has its amount and the order", () => {
  expect(readEvents("dispute.created", packDispute)).toEqual([
    {
      ...{ kind: "returned", of: "dispute", returnId: "disp_1", state: "open" },
      ...{ amount: 2299, currency: CURRENCY, payment: PACK_PAYMENT, occurredAt: null },
    },
  ]);
});

test("an event without an id is read; irrelevant types are unknown", () => {
  expect(read(creemEvent("checkout.completed", packCheckout, { id: undefined }))).toMatchObject({
    providerEventId: null,
    events: [{ kind: "checkout_completed" }],
  });
  for (const type of ["credits.granted", "subscription.something_new", "toString"])
    expect(readEvents(type, {})).toEqual([{ kind: "unknown", type }]);
  expect(read({})).toMatchObject({ type: "unknown", events: [{ kind: "unknown" }] });
});

test("a known type that cannot be read is malformed, and only the field is named", () => {
  expect(readEvents("subscription.paid", { ...creemSubscriptionOf(), id: 7 })).toEqual([
    { kind: "malformed", type: "subscription.paid", problem: "id: invalid_type" },
  ]);
  expect(
    readEvents("subscription.paid", creemSubscriptionOf({ current_period_end_date: "soon" })),
  ).toMatchObject([{ kind: "malformed" }]);
  expect(
    read(creemEvent("subscription.paid", creemSubscriptionOf(), { created_at: "now" }))?.events,
  ).toMatchObject([{ kind: "malformed", problem: "created_at: invalid_type" }]);
});

const TYPES = [
  "checkout.completed",
  "subscription.paid",
  "subscription.expired",
  "invoice.paid",
  "invoice.payment_failed",
  "refund.created",
  "dispute.created",
];

test("it never throws, for any JSON", () => {
  const arbitrary = fc.oneof(
    fc.jsonValue(),
    fc.record({
      id: fc.jsonValue(),
      eventType: fc.constantFrom(...TYPES),
      created_at: fc.oneof(fc.constant(CREATED_MS), fc.jsonValue()),
      object: fc.jsonValue(),
    }),
    // A real payload with one field changed.
    fc
      .tuple(
        fc.constantFrom(...TYPES),
        fc.constantFrom<object>(planCheckout, creemSubscriptionOf(), packRefund, packDispute),
        fc.nat(20),
        fc.jsonValue(),
      )
      .map(([type, object, field, value]) => {
        const names = Object.keys(object);
        const name = names[field % names.length] ?? "id";
        return creemEvent(type, { ...object, [name]: value });
      }),
  );
  fc.assert(
    fc.property(arbitrary, (payload) => {
      const delivery = read(payload);
      if (delivery) expect(delivery.events.length).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});
