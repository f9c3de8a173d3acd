import { PACK_METADATA, PLAN_METADATA } from "~/services/payments/fixtures";

export const CREATED_MS = 1_760_000_000_123;
export const PERIOD_START = "2025-10-09T06:00:00.000Z";
export const PERIOD_END = "2025-11-09T06:00:00.000Z";

export function creemEvent(eventType: string, object: unknown, extra: object = {}) {
  return { id: "evt_1", eventType, created_at: CREATED_MS, object, ...extra };
}

const product = { id: "prod_credits_small", object: "product", price: 500, currency: "USD" };

export const packCheckout = {
  id: "ch_1",
  object: "checkout",
  request_id: "request-1",
  order: {
    id: "ord_1",
    customer: "cust_1",
    product: "prod_credits_small",
    amount: 500,
    currency: "USD",
    status: "paid",
    type: "onetime",
  },
  product,
  customer: { id: "cust_1", object: "customer", email: "customer@example.com" },
  status: "completed",
  metadata: { ...PACK_METADATA, provider: "creem", request_id: "request-1" },
};

export const planCheckout = {
  ...packCheckout,
  order: { ...packCheckout.order, amount: 900, amount_paid: 1089, type: "recurring" },
  product: { ...product, id: "prod_starter_monthly" },
  subscription: { id: "sub_1", object: "subscription", status: "active", metadata: PLAN_METADATA },
  metadata: PLAN_METADATA,
};

export function creemSubscriptionOf(changes: object = {}) {
  return {
    id: "sub_1",
    object: "subscription",
    product: { ...product, id: "prod_starter_monthly", billing_period: "every-month" },
    customer: { id: "cust_1", object: "customer", email: "customer@example.com" },
    status: "active",
    last_transaction_id: "tran_1",
    next_transaction_date: PERIOD_END,
    current_period_start_date: PERIOD_START,
    current_period_end_date: PERIOD_END,
    canceled_at: null,
    metadata: PLAN_METADATA,
    ...changes,
  };
}

const transaction = {
  id: "tran_1",
  object: "transaction",
  amount: 1900,
  amount_paid: 2299,
  currency: "USD",
  status: "partially_refunded",
  refunded_amount: 700,
  order: "ord_1",
  subscription: null,
};
const checkout = { id: "ch_1", object: "checkout", request_id: "request-1" };

export const packRefund = {
  id: "ref_1",
  object: "refund",
  status: "succeeded",
  refund_amount: 200,
  refund_currency: "USD",
  transaction,
  checkout: { ...checkout, metadata: PACK_METADATA },
  order: { id: "ord_1", object: "order", amount: 1900 },
  created_at: CREATED_MS,
};

export const packDispute = {
  id: "disp_1",
  object: "dispute",
  amount: 2299,
  currency: "USD",
  transaction: { ...transaction, status: "chargeback", refunded_amount: 2299 },
  checkout: { ...checkout, metadata: PACK_METADATA },
  order: { id: "ord_1", object: "order" },
};
