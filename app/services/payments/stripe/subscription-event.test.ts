import { expect, test } from "vitest";
import { encode, PLAN_READ, PRICES } from "#tests/fixtures/payments";
import { TOP_YEARLY } from "#tests/fixtures/sold";
import {
  at,
  CREATED,
  newSubscription,
  oldSubscription,
  PERIOD_END,
  PERIOD_START,
  PLAN_PRICE,
  stripeEvent,
} from "#tests/fixtures/stripe";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

const YEAR_PRICE = `price_${TOP_YEARLY}`;

function readEvent(type: string, object: unknown) {
  return readStripeDelivery(encode(stripeEvent(type, object)), PRICES)?.events[0];
}

test.each(["customer.subscription.created", "customer.subscription.updated"])(
  "%s reads the same before and since 2025-03",
  (type) => {
    const event = readEvent(type, newSubscription());
    expect(event).toEqual({
      kind: "subscription_changed",
      providerSubscriptionId: "sub_1",
      customerId: "cus_1",
      status: "active",
      priceId: PLAN_PRICE,
      listed: null,
      currentPeriodStart: at(PERIOD_START),
      currentPeriodEnd: at(PERIOD_END),
      startedAt: null,
      cancelAtPeriodEnd: false,
      hasSchedule: false,
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

test("a subscription is listed at its price times the quantity; a tiered price has no amount", () => {
  const price = { id: PLAN_PRICE, unit_amount: 450, currency: "USD" };
  const of = (item: object) =>
    readEvent("customer.subscription.created", newSubscription({ items: { data: [item] } }));
  expect(of({ price, quantity: 2 })).toMatchObject({ listed: { amount: 900, currency: "usd" } });
  expect(of({ price })).toMatchObject({ listed: { amount: 450, currency: "usd" } });
  expect(of({ price: { ...price, unit_amount: null } })).toMatchObject({ listed: null });
});

test("of several items the catalog's decides price and period; without one, the first does", () => {
  const period = { current_period_start: PERIOD_START, current_period_end: PERIOD_END };
  const foreign = { price: { id: "price_seats" }, current_period_start: 1, current_period_end: 2 };
  const sold = { price: { id: YEAR_PRICE }, ...period };
  const withItems = (...data: object[]) =>
    readEvent("customer.subscription.updated", newSubscription({ items: { data } }));
  expect(withItems(foreign, sold)).toMatchObject({
    priceId: YEAR_PRICE,
    currentPeriodEnd: at(PERIOD_END),
  });
  expect(withItems(foreign)).toMatchObject({ priceId: "price_seats", currentPeriodEnd: at(2) });
  expect(withItems()).toMatchObject({ priceId: null, currentPeriodEnd: null });
});
