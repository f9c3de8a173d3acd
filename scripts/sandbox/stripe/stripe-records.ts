import type { SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import {
  nowInSeconds,
  type StripeInvoice,
  type StripePayment,
  type StripeReversal,
  type StripeSession,
  type StripeState,
  type StripeSubscription,
} from "./stripe-state";

interface NewPayment {
  /** Its session; an invoice's payment has neither session nor metadata. */
  session?: string;
  metadata?: Record<string, string>;
  customer: string | null;
  price: Pick<SandboxPrice, "amount" | "currency">;
}

export function createPayment(
  state: StripeState,
  { session, metadata, customer, price }: NewPayment,
): StripePayment {
  const payment: StripePayment = {
    id: createId("pi_"),
    charge: createId("ch_"),
    session: session ?? null,
    customer,
    amount: price.amount,
    refunded: 0,
    currency: price.currency,
    metadata: metadata ?? {},
    created: nowInSeconds(),
  };
  state.payments[payment.id] = payment;
  return payment;
}

/** Returns the session's customer, created if there is none. */
export function ensureCustomer(state: StripeState, session: StripeSession): string {
  const customer = session.customer ?? createId("cus_");
  state.customers[customer] ??= { id: customer, email: session.email ?? "" };
  session.customer = customer;
  return customer;
}

/** Creates the subscription of a paid session, and its customer if there is none. */
export function createSubscription(state: StripeState, session: StripeSession): StripeSubscription {
  const customer = ensureCustomer(state, session);
  const subscription: StripeSubscription = {
    id: createId("sub_"),
    itemId: createId("si_"),
    customer,
    priceId: session.priceId,
    status: "active",
    schedule: null,
    metadata: session.dataMetadata,
    anchor: nowInSeconds(),
    period: 0,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    openInvoice: null,
  };
  state.subscriptions[subscription.id] = subscription;
  return subscription;
}

/** Creates the current period's invoice, paid unless it is `open`. */
export function createInvoice(
  state: StripeState,
  { id: subscription, period, customer }: StripeSubscription,
  { price, status }: { price: Pick<SandboxPrice, "amount" | "currency">; status: "open" | "paid" },
): StripeInvoice {
  const isCharged = status === "paid" && price.amount > 0;
  const invoice: StripeInvoice = {
    id: createId("in_"),
    subscription,
    period,
    status,
    amount: price.amount,
    payment: isCharged ? createPayment(state, { customer, price }).id : null,
    created: nowInSeconds(),
  };
  state.invoices[invoice.id] = invoice;
  return invoice;
}

export function createReversal(
  records: Record<string, StripeReversal>,
  { prefix, payment, amount }: { prefix: string; payment: StripePayment; amount: number },
): StripeReversal {
  const reversal = { id: createId(prefix), payment: payment.id, amount, created: nowInSeconds() };
  records[reversal.id] = reversal;
  return reversal;
}
