import { type BillingPeriod, periodOf } from "../payments/billing-period";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { CreemCheckout, CreemOrder, CreemState, CreemSubscription } from "./creem-state";

export function currentPeriod(
  { anchor, period }: CreemSubscription,
  product: SandboxPrice,
): BillingPeriod {
  return periodOf(new Date(anchor), period, product.interval === "year" ? 12 : 1);
}

export function renderProduct({ id, name, amount, currency, interval }: SandboxPrice) {
  return {
    id,
    object: "product",
    name,
    price: amount,
    currency: currency.toUpperCase(),
    billing_type: interval ? "recurring" : "onetime",
    billing_period: interval ? `every-${interval}` : "once",
    status: "active",
    mode: "test",
  };
}

export function renderCustomer({ id, email, createdAt }: CreemState["customers"][string]) {
  return { id, object: "customer", email, country: "US", created_at: createdAt, mode: "test" };
}

export function renderOrder(order: CreemOrder) {
  return {
    id: order.orderId,
    object: "order",
    customer: order.customer,
    product: order.productId,
    transaction: order.transaction,
    amount: order.amount,
    sub_total: order.amount,
    tax_amount: 0,
    discount_amount: 0,
    amount_due: order.amount,
    amount_paid: order.amount,
    currency: order.currency.toUpperCase(),
    status: "paid",
    type: order.subscription ? "recurring" : "onetime",
    created_at: order.createdAt,
    mode: "test",
  };
}

/** A checkout as embedded in other objects. */
export function renderCheckout(checkout: CreemCheckout) {
  return {
    id: checkout.id,
    object: "checkout",
    mode: "test",
    status: checkout.status,
    request_id: checkout.requestId,
    units: 1,
    metadata: checkout.metadata,
  };
}

/** If `embedded` in another object, it names its product and customer by id. */
export function renderSubscription(
  subscription: CreemSubscription,
  parts: {
    product: SandboxPrice;
    customer: CreemState["customers"][string];
    /** Its last payment, rendered. */
    lastTransaction: object | undefined;
    embedded?: boolean;
  },
) {
  const { start, end } = currentPeriod(subscription, parts.product);
  const isRunning = subscription.status === "active" || subscription.status === "past_due";
  return {
    id: subscription.id,
    object: "subscription",
    product: parts.embedded ? parts.product.id : renderProduct(parts.product),
    customer: parts.embedded ? parts.customer.id : renderCustomer(parts.customer),
    collection_method: "charge_automatically",
    status: subscription.status,
    last_transaction_id: subscription.lastTransaction,
    ...(parts.lastTransaction ? { last_transaction: parts.lastTransaction } : {}),
    ...(isRunning ? { next_transaction_date: end.toISOString() } : {}),
    current_period_start_date: start.toISOString(),
    current_period_end_date: end.toISOString(),
    canceled_at: subscription.canceledAt,
    created_at: subscription.createdAt,
    metadata: subscription.metadata,
    mode: "test",
  };
}
