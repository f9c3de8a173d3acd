import type { BillingPeriod } from "../payments/billing-period";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import type { CreemCheckout, CreemOrder, CreemState, CreemSubscription } from "./creem-state";

/** Returns the checkout's customer; Creem identifies people by email address. */
export function findOrCreateCustomer(state: CreemState, checkout: CreemCheckout): string {
  if (checkout.customer) return checkout.customer;
  const email = checkout.email ?? "";
  const known = Object.values(state.customers).find((customer) => customer.email === email);
  if (known) return known.id;
  const id = createId("cust_");
  state.customers[id] = { id, email, createdAt: new Date().toISOString() };
  return id;
}

interface NewOrder {
  checkout: string;
  subscription: string | null;
  customer: string;
  product: SandboxPrice;
  /** Without it, the product's price. */
  amount?: number;
  /** Without it, an order of its own. */
  orderId?: string | undefined;
  period?: BillingPeriod;
}

export function createOrder(
  state: CreemState,
  { checkout, subscription, customer, product, amount = product.amount, orderId, period }: NewOrder,
): CreemOrder {
  const id = createId("ord_");
  const order: CreemOrder = {
    id,
    orderId: orderId ?? id,
    transaction: createId("tran_"),
    checkout,
    subscription,
    customer,
    productId: product.id,
    amount,
    charge: null,
    period: period ? { start: period.start.toISOString(), end: period.end.toISOString() } : null,
    currency: product.currency,
    createdAt: new Date().toISOString(),
  };
  state.orders[order.id] = order;
  return order;
}

export function createSubscription(
  state: CreemState,
  checkout: CreemCheckout,
  customer: string,
): CreemSubscription {
  const now = new Date().toISOString();
  const subscription: CreemSubscription = {
    id: createId("sub_"),
    productId: checkout.productId,
    customer,
    status: "active",
    metadata: checkout.metadata,
    anchor: now,
    period: 0,
    canceledAt: null,
    lastTransaction: "",
    createdAt: now,
  };
  state.subscriptions[subscription.id] = subscription;
  return subscription;
}
