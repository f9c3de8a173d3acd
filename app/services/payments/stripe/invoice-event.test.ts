import { expect, test } from "vitest";
import { encode, PLAN_READ, PRICES } from "#tests/fixtures/payments";
import { PLAN } from "#tests/fixtures/sold";
import {
  at,
  CREATED,
  newInvoice,
  newLine,
  oldInvoice,
  oldLine,
  PERIOD_END,
  PERIOD_START,
  PLAN_PRICE,
  stripeEvent,
} from "#tests/fixtures/stripe";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

function readEvent(type: string, object: unknown) {
  return readStripeDelivery(encode(stripeEvent(type, object)), PRICES)?.events[0];
}
const periodEndOf = (object: unknown) => {
  const event = readEvent("invoice.paid", object);
  return event?.kind === "invoice_paid" ? event.periodEnd : undefined;
};

test.each(["invoice.paid", "invoice.payment_succeeded"])(
  "%s reads the same before and since 2025-03: the line's period, not the invoice's",
  (type) => {
    const event = readEvent(type, newInvoice());
    expect(event).toEqual({
      kind: "invoice_paid",
      invoiceId: "in_1",
      providerSubscriptionId: "sub_1",
      customerId: "cus_1",
      priceId: PLAN_PRICE,
      metadata: PLAN_READ,
      covers: "period",
      periodStart: at(PERIOD_START),
      periodEnd: at(PERIOD_END),
      renewedAt: null,
      paidAt: at(CREATED),
      amount: null,
      currency: null,
      payments: [],
      listed: null,
      replacesEarlier: false,
      unsold: [],
    });
    expect(readEvent(type, oldInvoice())).toEqual(event);
  },
);

test("a failed payment has its subscription and no period", () => {
  const event = readEvent("invoice.payment_failed", newInvoice());
  expect(event).toEqual({
    kind: "invoice_failed",
    invoiceId: "in_1",
    providerSubscriptionId: "sub_1",
    customerId: "cus_1",
    priceId: PLAN_PRICE,
    metadata: PLAN_READ,
    isRenewal: true,
    occurredAt: at(CREATED),
  });
  expect(readEvent("invoice.payment_failed", oldInvoice())).toEqual(event);
});

test("an invoice has its amount, and its payment where the payload names it", () => {
  const money = { amount_paid: 900, currency: "usd" };
  expect(
    readEvent("invoice.paid", { ...oldInvoice(), ...money, payment_intent: "pi_1" }),
  ).toMatchObject({
    amount: 900,
    currency: "usd",
    payments: [{ id: "pi_1", amount: 900 }],
  });
  const payments = { data: [{ payment: { type: "payment_intent", payment_intent: "pi_2" } }] };
  expect(readEvent("invoice.paid", { ...newInvoice(), ...money, payments })).toMatchObject({
    amount: 900,
    payments: [{ id: "pi_2", amount: null }],
  });
});

test("an invoice is paid when its status says so, by each of its payments that was paid", () => {
  const paidBy = (id: string, amount_paid: number | null, status: string) => ({
    ...{ amount_paid, status, payment: { type: "payment_intent", payment_intent: id } },
  });
  const payments = {
    data: [paidBy("pi_1", 300, "paid"), paidBy("pi_2", 600, "paid"), paidBy("pi_3", null, "open")],
  };
  const invoice = { ...newInvoice(), payments, created: CREATED - 60 };
  expect(readEvent("invoice.paid", invoice)).toMatchObject({
    paidAt: at(CREATED - 60),
    payments: [
      { id: "pi_1", amount: 300 },
      { id: "pi_2", amount: 600 },
    ],
  });
  const settled = { ...invoice, status_transitions: { paid_at: CREATED } };
  expect(readEvent("invoice.paid", settled)).toMatchObject({ paidAt: at(CREATED) });
});

test("a failed change within a period is no failed renewal", () => {
  const change = { ...newInvoice(), billing_reason: "subscription_update" };
  expect(readEvent("invoice.payment_failed", change)).toMatchObject({ isRenewal: false });
});

test("a trial's line costs nothing; a discount leaves the line's amount", () => {
  expect(readEvent("invoice.paid", newInvoice([newLine({ amount: 0 })]))).toMatchObject({
    covers: "trial",
  });
  const discounted = { ...newInvoice([newLine({ amount: PLAN.amounts.month })]), amount_paid: 0 };
  expect(readEvent("invoice.paid", discounted)).toMatchObject({ covers: "period", amount: 0 });
});

test("what is paid for the rest of a period is an upgrade; a credit note pays for nothing", () => {
  const parent = {
    type: "subscription_item_details",
    subscription_item_details: { proration: true },
  };
  const dearer = newLine({ parent, amount: 1935 });
  const unused = newLine({ parent, amount: -600 });
  expect(readEvent("invoice.paid", newInvoice([unused, dearer]))).toMatchObject({
    covers: "upgrade",
    periodStart: at(PERIOD_START),
    periodEnd: at(PERIOD_END),
  });
  expect(readEvent("invoice.paid", newInvoice([unused]))).toMatchObject({
    covers: "nothing",
    periodStart: null,
  });
});

test("a payment names its invoice", () => {
  const link = { invoice: "in_1", payment: { type: "payment_intent", payment_intent: "pi_1" } };
  expect(readEvent("invoice_payment.paid", link)).toEqual({
    kind: "invoice_linked",
    invoiceId: "in_1",
    intentId: "pi_1",
    amount: null,
  });
  expect(readEvent("invoice_payment.paid", { ...link, amount_paid: 400 })).toMatchObject({
    amount: 400,
  });
  const byCharge = { invoice: "in_1", payment: { type: "charge", charge: "ch_1" } };
  expect(readEvent("invoice_payment.paid", byCharge)).toMatchObject({ kind: "unknown" });
});

test("prorations pay for no period: they end with a period that may still be unpaid", () => {
  const inItem = { type: "invoice_item_details", subscription_item_details: null };
  const flexible = {
    type: "subscription_item_details",
    subscription_item_details: { proration: true },
  };
  for (const parent of [inItem, flexible])
    expect(periodEndOf(newInvoice([newLine({ parent })]))).toBeNull();
  expect(periodEndOf(oldInvoice([oldLine({ type: "invoiceitem", proration: true })]))).toBeNull();
  expect(periodEndOf(oldInvoice([oldLine({ proration: true })]))).toBeNull();
});

test("of several lines of plans the one that reaches furthest counts", () => {
  const longer = { period: { start: PERIOD_START, end: PERIOD_END + 1000 } };
  expect(periodEndOf(newInvoice([newLine(), newLine(longer)]))).toEqual(at(PERIOD_END + 1000));
  expect(periodEndOf(newInvoice([]))).toBeNull();
});

test("a renewal whose line is not among the ten shown gives the start of its period", () => {
  const proration = newLine({ parent: { type: "invoice_item_details" } });
  const long = {
    ...newInvoice(),
    lines: { data: Array.from({ length: 10 }, () => proration), has_more: true },
    billing_reason: "subscription_cycle",
    period_end: PERIOD_START,
  };
  expect(readEvent("invoice.paid", long)).toMatchObject({
    kind: "invoice_paid",
    covers: "hidden",
    periodStart: null,
    periodEnd: null,
    renewedAt: at(PERIOD_START),
  });
  // Treated as prorations alone, the period it pays for would be lost silently.
  expect(readEvent("invoice.paid", { ...long, billing_reason: "manual" })).toMatchObject({
    renewedAt: null,
  });
  expect(readEvent("invoice.payment_failed", long)).toMatchObject({ kind: "invoice_failed" });
});

test("an invoice without a subscription is not ours", () => {
  const single = { ...newInvoice(), parent: null };
  expect(readEvent("invoice.paid", single)).toEqual({ kind: "unknown", type: "invoice.paid" });
  expect(readEvent("invoice.paid", { ...oldInvoice(), subscription: null })).toMatchObject({
    kind: "unknown",
  });
});

test("an older invoice without a copy of the subscription's metadata is read", () => {
  const { subscription_details, ...older } = oldInvoice();
  expect(readEvent("invoice.paid", older)).toMatchObject({
    kind: "invoice_paid",
    metadata: null,
    periodEnd: at(PERIOD_END),
  });
});
