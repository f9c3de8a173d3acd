import { PLAN_METADATA } from "~/services/payments/fixtures";

export const CREATED = 1_760_000_000;
export const PERIOD_START = 1_759_990_000;
export const PERIOD_END = 1_762_668_400;

export const at = (seconds: number) => new Date(seconds * 1000);

export function stripeEvent(type: string, object: unknown, extra: object = {}) {
  return {
    id: "evt_1",
    object: "event",
    api_version: "2026-10-28.endive",
    created: CREATED,
    data: { object },
    livemode: false,
    type,
    ...extra,
  };
}

const period = { current_period_start: PERIOD_START, current_period_end: PERIOD_END };

const subscription = {
  id: "sub_1",
  object: "subscription",
  customer: "cus_1",
  status: "active",
  cancel_at_period_end: false,
  cancel_at: null,
  canceled_at: null,
  ended_at: null,
  metadata: PLAN_METADATA,
};

/** A subscription as endpoints since 2025-03 ("basil") see it: the period is its items'. */
export function newSubscription(changes: object = {}) {
  const item = { id: "si_1", object: "subscription_item", price: { id: "price_starter_monthly" } };
  return {
    ...subscription,
    items: { object: "list", data: [{ ...item, ...period }] },
    ...changes,
  };
}

/** The same for endpoints from before: the period is its own. */
export function oldSubscription(changes: object = {}) {
  const item = { id: "si_1", object: "subscription_item", price: { id: "price_starter_monthly" } };
  return { ...subscription, ...period, items: { object: "list", data: [item] }, ...changes };
}

const linePeriod = { start: PERIOD_START, end: PERIOD_END };

export function newLine(changes: object = {}) {
  return {
    object: "line_item",
    period: linePeriod,
    parent: {
      type: "subscription_item_details",
      subscription_item_details: { proration: false, subscription: "sub_1" },
    },
    pricing: { price_details: { price: "price_starter_monthly", product: "prod_1" } },
    ...changes,
  };
}

export function oldLine(changes: object = {}) {
  return {
    object: "line_item",
    period: linePeriod,
    type: "subscription",
    proration: false,
    price: { id: "price_starter_monthly" },
    subscription: "sub_1",
    ...changes,
  };
}

/** Its own period is that of the invoice items, and ends when it was made. */
const invoice = {
  id: "in_1",
  object: "invoice",
  customer: "cus_1",
  period_start: CREATED,
  period_end: CREATED,
};

export function newInvoice(lines: object[] = [newLine()]) {
  return {
    ...invoice,
    lines: { data: lines },
    parent: {
      type: "subscription_details",
      subscription_details: { subscription: "sub_1", metadata: PLAN_METADATA },
    },
  };
}

export function oldInvoice(lines: object[] = [oldLine()]) {
  return {
    ...invoice,
    lines: { data: lines },
    subscription: "sub_1",
    subscription_details: { metadata: PLAN_METADATA },
  };
}
