import { expect, test } from "vitest";
import {
  CREATED_MS,
  creemEvent,
  creemSubscriptionOf,
  PERIOD_END,
  PERIOD_START,
  PLAN_PRODUCT,
} from "#tests/fixtures/creem";
import { encode, PLAN_READ, PRODUCTS } from "#tests/fixtures/payments";
import { PLAN, TOP_YEARLY } from "#tests/fixtures/sold";
import { CURRENCY } from "~/catalog";
import { readCreemDelivery } from "~/services/payments/creem/creem-delivery";

const YEAR_PRODUCT = `prod_${TOP_YEARLY}`;

function readEvents(type: string, object: unknown) {
  return readCreemDelivery(encode(creemEvent(type, object)), PRODUCTS)?.events;
}

const CHANGE = {
  kind: "subscription_changed",
  providerSubscriptionId: "sub_1",
  customerId: "cust_1",
  status: "active",
  priceId: PLAN_PRODUCT,
  listed: { amount: PLAN.amounts.month, currency: CURRENCY },
  currentPeriodStart: new Date(PERIOD_START),
  currentPeriodEnd: new Date(PERIOD_END),
  startedAt: null,
  cancelAtPeriodEnd: false,
  hasSchedule: false,
  endedAt: null,
  metadata: PLAN_READ,
  occurredAt: new Date(CREATED_MS),
};

test.each([
  ["subscription.active", "active"],
  ["subscription.trialing", "trialing"],
  ["subscription.past_due", "past_due"],
  ["subscription.unpaid", "unpaid"],
  ["subscription.paused", "paused"],
  ["subscription.expired", "expired"],
  ["subscription.canceled", "canceled"],
  ["subscription.deleted", "canceled"],
  ["subscription.terminated", "canceled"],
])("%s means %s, whatever the object says", (type, status) => {
  expect(readEvents(type, creemSubscriptionOf())).toEqual([
    { ...CHANGE, status, endedAt: status === "canceled" ? new Date(CREATED_MS) : null },
  ]);
});

test.each([
  ["active", "active"],
  ["trialing", "trialing"],
  ["past_due", "past_due"],
  ["unpaid", "unpaid"],
  ["paused", "paused"],
  ["expired", "expired"],
  ["incomplete", "incomplete"],
  ["canceled", "canceled"],
  ["something_new", "unknown"],
  [null, null],
])("an update follows the object's status: %s is %s", (objectStatus, status) => {
  for (const type of ["subscription.created", "subscription.update", "subscription.updated"])
    expect(readEvents(type, creemSubscriptionOf({ status: objectStatus }))).toMatchObject([
      { status, cancelAtPeriodEnd: false },
    ]);
});

test("a scheduled cancellation leaves the status unchanged", () => {
  const scheduled = creemSubscriptionOf({ status: "scheduled_cancel" });
  for (const type of ["subscription.scheduled_cancel", "subscription.update"])
    expect(readEvents(type, scheduled)).toEqual([
      { ...CHANGE, status: null, cancelAtPeriodEnd: true },
    ]);
});

test("a payment of a subscription whose end is scheduled says that it runs", () => {
  const events = readEvents(
    "subscription.paid",
    creemSubscriptionOf({ status: "scheduled_cancel" }),
  );
  expect(events?.[0]).toEqual({ ...CHANGE, status: "active", cancelAtPeriodEnd: true });
});

test("subscription.paid is a change of the subscription and a paid period", () => {
  expect(readEvents("subscription.paid", creemSubscriptionOf())).toEqual([
    CHANGE,
    {
      kind: "invoice_paid",
      invoiceId: "tran_1",
      providerSubscriptionId: "sub_1",
      customerId: "cust_1",
      priceId: PLAN_PRODUCT,
      metadata: PLAN_READ,
      covers: "period",
      periodStart: new Date(PERIOD_START),
      periodEnd: new Date(PERIOD_END),
      renewedAt: null,
      paidAt: new Date(CREATED_MS),
      amount: null,
      currency: null,
      payments: [],
      listed: CHANGE.listed,
      replacesEarlier: false,
      unsold: [],
    },
  ]);
});

test("a paid period has the amount and the order of its transaction, where the payload has it", () => {
  const last_transaction = {
    id: "tran_2",
    order: "ord_2",
    amount: 900,
    amount_paid: 1089,
    currency: "USD",
  };
  const paid = creemSubscriptionOf({ last_transaction_id: "tran_2", last_transaction });
  expect(readEvents("subscription.paid", paid)?.[1]).toMatchObject({
    invoiceId: "tran_2",
    amount: 1089,
    currency: "usd",
    payments: [{ id: "ord_2", amount: null }],
  });
});

test("a paid period is listed at its price before discounts, where the transaction says them", () => {
  const listedOf = (last_transaction: object) =>
    readEvents("subscription.paid", creemSubscriptionOf({ last_transaction }))?.[1];
  const transaction = { id: "tran_2", amount: 700, currency: "USD" };
  expect(listedOf({ ...transaction, discount_amount: 200 })).toMatchObject({
    listed: { amount: 900, currency: "usd" },
  });
});

test("a paid period without a discount in its payload is listed at its product's price", () => {
  const listedOf = (product: object) =>
    readEvents("subscription.paid", creemSubscriptionOf({ product }))?.map((event) =>
      "listed" in event ? event.listed : null,
    );
  const price = { amount: 100, currency: "usd" };
  expect(listedOf({ id: PLAN_PRODUCT, price: 100, currency: "USD" })).toEqual([price, price]);
  expect(listedOf({ id: PLAN_PRODUCT })).toEqual([null, null]);
});

test("a cancellation has its end date", () => {
  const canceled = creemSubscriptionOf({ canceled_at: "2025-10-20T10:00:00.000Z" });
  expect(readEvents("subscription.canceled", canceled)).toMatchObject([
    { endedAt: new Date("2025-10-20T10:00:00.000Z") },
  ]);
});

test("an event without a period, as in Creem's own example, leaves the period unchanged", () => {
  const { current_period_start_date, current_period_end_date, ...bare } = creemSubscriptionOf();
  expect(readEvents("subscription.active", { ...bare, product: PLAN_PRODUCT })).toEqual([
    { ...CHANGE, listed: null, currentPeriodStart: null, currentPeriodEnd: null },
  ]);
});

test("of several products the catalog's is chosen", () => {
  const items = [{ product_id: "prod_seats" }, { product_id: YEAR_PRODUCT }];
  const object = creemSubscriptionOf({ product: { id: "prod_old" }, items });
  expect(readEvents("subscription.update", object)).toMatchObject([{ priceId: YEAR_PRODUCT }]);
  const unsold = creemSubscriptionOf({ product: { id: "prod_old" } });
  expect(readEvents("subscription.update", unsold)).toMatchObject([{ priceId: "prod_old" }]);
});
